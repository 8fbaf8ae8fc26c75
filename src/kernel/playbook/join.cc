#include <algorithm>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/end_of_run.h"
#include "stepwell/kernel/playbook/fan_out.h"
#include "stepwell/value/blob_ref.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/path.h"

namespace stepwell {

namespace {

Value indices(std::vector<std::uint32_t> all) {
  std::ranges::sort(all);
  std::vector<Value> items;
  items.reserve(all.size());
  for (const std::uint32_t index : all) items.push_back(static_cast<std::int64_t>(index));
  return Value::list(std::move(items));
}

bool lies_in_blob(const Value& value, const Path& path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Value* around = get(value, path.first(i));
    if (around == nullptr) return false;
    if (is_blob_ref(*around)) return true;
  }
  return false;
}

}  // namespace

// What the join step is told: branches by how they came out. Those that never opened were cancelled.
Value Decider::join_args(const FanOut& fan_out) const {
  std::vector<std::uint32_t> cancelled = unopened(fan_out);
  cancelled.insert(cancelled.end(), fan_out.cancelled.begin(), fan_out.cancelled.end());
  return Value::map({{"total", static_cast<std::int64_t>(fan_out.total)},
                     {"arrived", indices(fan_out.arrived)},
                     {"ended", indices(fan_out.ended)},
                     {"failed", indices(fan_out.failed)},
                     {"cancelled", indices(std::move(cancelled))}});
}

OrFailure<Value> Decider::merged(const FanOut& fan_out, const Merge& merge) {
  std::vector<std::uint32_t> arrived = fan_out.arrived;
  if (merge.strategy == MergeStrategy::last_wins && !arrived.empty()) arrived = {arrived.back()};
  std::ranges::sort(arrived);
  std::vector<Value> items;
  std::vector<Member> members;
  Value last;
  for (const std::uint32_t index : arrived) {
    const Scope& branch = state_.scopes.at(fan_out.branches[index]);
    const Value output = scope_output(branch).decode();
    if (lies_in_blob(output, merge.source)) {
      return std::unexpected(RunError{.error_class = ErrorClass::expression,
                                      .kind = "blob_ref",
                                      .message = fmt::format("'{}' of branch {} lies in a value that is kept elsewhere",
                                                             merge.source.str(), index)});
    }
    const Value* source = get(output, merge.source);
    const Value value = source == nullptr ? Value() : *source;
    switch (merge.strategy) {
      case MergeStrategy::append: items.push_back(value); break;
      case MergeStrategy::last_wins: last = value; break;
      case MergeStrategy::merge_object:
        if (!value.is_map() || is_blob_ref(value)) {
          return std::unexpected(
              RunError{.error_class = ErrorClass::transport,
                       .kind = "merge",
                       .message = fmt::format("branch {} has no map to merge, but {}", index,
                                              is_blob_ref(value) ? "a blob" : kind_name(value.kind()))});
        }
        members.insert(members.end(), value.as_map().begin(), value.as_map().end());
        break;
      case MergeStrategy::keyed_by_branch: {
        Value key = Value(std::to_string(index));
        if (merge.key) {
          const Scene scene{.definition = definition_, .state = state_, .scope = branch.id};
          auto rendered = render(scene, *merge.key, ambient_);
          if (!rendered) return std::unexpected(std::move(rendered.error()->error));
          key = rendered->is_text() ? *rendered : Value(to_json(*rendered));
        }
        members.push_back({key, value});
        break;
      }
    }
  }
  if (merge.strategy == MergeStrategy::append) return Value::list(std::move(items));
  if (merge.strategy == MergeStrategy::last_wins) return last;
  return Value::map(std::move(members));
}

// What firing the join writes to the ctx around it.
OrFailure<Writes> Decider::plan_merge(const FanOut& fan_out, const Join& join) {
  Writes writes;
  if (join.merge) {
    auto value = merged(fan_out, *join.merge);
    if (!value) return std::unexpected(std::move(value.error()));
    const Path& target = join.merge->target;
    writes.push_back({target.without_first(1), std::move(*value)});
  } else {
    std::vector<std::uint32_t> arrived = fan_out.arrived;
    std::ranges::sort(arrived);
    for (const std::uint32_t index : arrived) {
      const Scope& branch = state_.scopes.at(fan_out.branches[index]);
      writes.append(branch.inner->overlay.begin(), branch.inner->overlay.end());
    }
  }
  auto seen = visible_ctx(state_, fan_out.scope);
  if (!seen) return std::unexpected(std::move(seen.error()));
  auto ctx = write_all(*seen, writes, "ctx");
  if (!ctx) {
    return std::unexpected(
        RunError{.error_class = ErrorClass::transport, .kind = "merge", .message = std::move(ctx.error()->message)});
  }
  if (auto fits = check_ctx(*ctx); !fits) return std::unexpected(std::move(fits.error()));
  return writes;
}

void Decider::fire_join(FanOutId id) {
  const FanOut& fan_out = state_.fan_outs->at(id);
  const StepIndex step = *step_of(fan_out.step).joined_by;
  const Join& join = *step_of(step).join;
  auto writes = plan_merge(fan_out, join);
  if (!writes) return fail_join(id, std::move(*writes.error()));
  const ScopeId scope = fan_out.scope;
  cancel_branches(id, join.abandon_early);
  Value args = join_args(state_.fan_outs->at(id));
  out_.emit(FanOutClosed{id});
  if (!writes->empty()) out_.emit(CtxSet{.scope = scope, .writes = std::move(*writes)});
  out_.emit(TokenCreated{
      .token = state_.last_token.next(), .step = step, .scope = scope, .args = std::move(args), .past_join = true});
  touch(kRootScope);
}

// The join step runs, and fails at once: its failure arcs are asked as those of any other step.
void Decider::fail_join(FanOutId id, RunError error) {
  const FanOut& fan_out = state_.fan_outs->at(id);
  const StepIndex step = *step_of(fan_out.step).joined_by;
  const ScopeId scope = fan_out.scope;
  cancel_branches(id, step_of(step).join->abandon_early);
  Value args = join_args(state_.fan_outs->at(id));
  out_.emit(FanOutClosed{id});
  const TokenId token = state_.last_token.next();
  out_.emit(TokenCreated{.token = token, .step = step, .scope = scope, .args = std::move(args), .past_join = true});
  fail_at_start(token, std::move(error));
}

}  // namespace stepwell
