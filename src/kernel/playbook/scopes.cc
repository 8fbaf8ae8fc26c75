#include <algorithm>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/decider.h"
#include "stepwell/kernel/playbook/fan_out.h"

namespace stepwell {

namespace {

// What the branches or iterations failed with, by index.
Value errors_of(const FanOut& fan_out) {
  auto sorted = fan_out.errors;
  std::ranges::sort(sorted, {}, [](const auto& each) { return each.first; });
  std::vector<Value> errors;
  errors.reserve(sorted.size());
  for (const auto& [index, error] : sorted) {
    errors.push_back(Value::map({{"index", static_cast<std::int64_t>(index)}, {"error", error->to_value()}}));
  }
  return Value::list(std::move(errors));
}

}  // namespace

// A scope has come to rest: the one rule from which everything ends.
void Decider::close_scope(ScopeId id) {
  const Scope& scope = state_.scopes.at(id);
  switch (scope.kind) {
    case ScopeKind::root:
      if (state_.detached == 0) complete();
      return;
    case ScopeKind::branch:
      return settle_branch(id, scope.parked > 0 && !scope.detached ? Settled::arrived : Settled::ended, std::nullopt);
    case ScopeKind::iteration: return settle_branch(id, Settled::ended, std::nullopt);
    case ScopeKind::block: {
      const RunId run = scope.inner->owner;
      EncodedValue output = scope.last_order != 0 ? scope_output(scope) : EncodedValue();
      out_.emit(BlockClosed{id});
      return end_done(run, std::move(output), {});
    }
  }
}

void Decider::settle_branch(ScopeId id, Settled how, std::optional<RunError> error) {
  const Scope& scope = state_.scopes.at(id);
  const FanOutId fan_out = scope.fan_out;
  const bool detached = scope.detached;
  out_.emit(BranchSettled{.scope = id, .how = how, .error = std::move(error)});
  if (detached) return touch(kRootScope);
  check_fan_out(fan_out);
}

// Looks whether a fan-out, its join or a loop is decided by what its branches have come to.
void Decider::check_fan_out(FanOutId id) {
  const FanOut& fan_out = state_.fan_outs->at(id);
  if (fan_out.joined) {
    const Join& join = *step_of(*step_of(fan_out.step).joined_by).join;
    switch (judge(join, fan_out)) {
      case JoinVerdict::wait: return;
      case JoinVerdict::fire: return fire_join(id);
      case JoinVerdict::fail: return fail_join(id, unsatisfied(fan_out, join));
    }
  }
  if (fan_out.settled < fan_out.total) return;
  if (fan_out.is_loop) return end_loop(id);
  const ScopeId scope = fan_out.scope;
  out_.emit(FanOutClosed{id});
  touch(scope);
}

RunError Decider::unsatisfied(const FanOut& fan_out, const Join& join) const {
  RunError error{.error_class = ErrorClass::transport,
                 .kind = "join_unsatisfied",
                 .message = fmt::format("of {} branches of '{}', {} arrived, {} ended, {} failed", fan_out.total,
                                        step_of(fan_out.step).name, fan_out.arrived.size(), fan_out.ended.size(),
                                        fan_out.failed.size())};
  if (join.mode == JoinMode::m_of_n) error.message += fmt::format("; {} are needed", join.m);
  error.details = Value::map({{"errors", errors_of(fan_out)}});
  return error;
}

void Decider::end_loop(FanOutId id) {
  const FanOut& fan_out = state_.fan_outs->at(id);
  const RunId run = fan_out.run;
  std::vector<Value> results;
  results.reserve(fan_out.outputs.size());
  for (const EncodedValue& output : fan_out.outputs) results.push_back(output.decode());
  Value errors = errors_of(fan_out);
  auto count = [](const std::vector<std::uint32_t>& all) { return static_cast<std::int64_t>(all.size()); };
  const Value output = Value::map({{"results", Value::list(std::move(results))},
                                   {"errors", std::move(errors)},
                                   {"stats", Value::map({{"total", static_cast<std::int64_t>(fan_out.total)},
                                                         {"ok", count(fan_out.ended)},
                                                         {"failed", count(fan_out.failed)},
                                                         {"cancelled", count(fan_out.cancelled)}})}});
  out_.emit(FanOutClosed{id});
  end_done(run, EncodedValue(output), {});
}

void Decider::cancel_run(const Run& run) {
  const RunId id = run.id;
  if (std::holds_alternative<OpenAttempt>(run.work)) out_.ask(CancelAttempt{run.waiting_token()});
  if (const auto* call = std::get_if<OpenCall>(&run.work)) {
    const std::string child = call->child;
    out_.emit(
        MessageSent{.message = state_.last_message.next(), .kind = MessageKind::cancel_child, .run = id, .to = child});
  }
  if (std::holds_alternative<OpenTask>(state_.runs.at(id).work)) out_.emit(TaskCancelled{id});
  out_.emit(StepCancelled{id});
}

// Ends every run in a scope and below it, each with an event of its own. The scope itself is closed by the caller.
void Decider::cancel_inside(ScopeId id) {
  std::vector<ScopeId> inside = {id};
  std::vector<RunId> runs;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const Scope& scope = state_.scopes.at(inside[i]);
    for (TokenId token = scope.first_token; token; token = state_.tokens.at(token).after) {
      if (const RunId run = state_.tokens.at(token).run; run && state_.runs.find(run) != nullptr) runs.push_back(run);
    }
    for (ScopeId child = scope.first_child; child; child = state_.scopes.at(child).after) {
      inside.push_back(child);
    }
  }
  std::ranges::sort(runs);
  for (const RunId run : runs) cancel_run(state_.runs.at(run));
}

// What is left of a fan-out that is decided.
void Decider::cancel_branches(FanOutId id, bool abandon) {
  std::vector<ScopeId> open;
  for (ScopeId child = state_.scopes.at(state_.fan_outs->at(id).scope).first_child; child;
       child = state_.scopes.at(child).after) {
    const Scope& branch = state_.scopes.at(child);
    if (branch.fan_out == id && !branch.settled && !branch.detached) open.push_back(child);
  }
  std::ranges::sort(open);
  for (const ScopeId branch : open) {
    if (abandon) {
      out_.emit(BranchDetached{branch});
    } else {
      cancel_inside(branch);
      out_.emit(BranchSettled{.scope = branch, .how = Settled::cancelled});
    }
  }
}

}  // namespace stepwell
