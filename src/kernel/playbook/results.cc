#include "stepwell/kernel/playbook/results.h"

#include <algorithm>

#include <fmt/format.h>

namespace stepwell {

namespace {

StepResult& entry_of(Scope& scope, StepIndex step) {
  const auto at = std::ranges::lower_bound(scope.results, step, {}, &StepResult::step);
  if (at != scope.results.end() && at->step == step) return *at;
  return *scope.results.insert(at, StepResult{.step = step});
}

// Whether a step stands in the block that another one is.
bool stands_in(const Definition& definition, StepIndex step, StepIndex block) {
  std::optional<StepIndex> owner = definition.lists[definition.steps[step].list].owner;
  while (owner && *owner != block) owner = definition.lists[definition.steps[*owner].list].owner;
  return owner.has_value();
}

}  // namespace

const StepResult* find_result(const State& state, ScopeId scope, StepIndex step) {
  for (ScopeId at = scope; at; at = state.scopes.at(at).parent) {
    const std::vector<StepResult>& results = state.scopes.at(at).results;
    const auto found = std::ranges::lower_bound(results, step, {}, &StepResult::step);
    if (found != results.end() && found->step == step) return &*found;
  }
  return nullptr;
}

Value result_value(const Definition& definition, const EndedRun& ended) {
  const Step& step = definition.steps[ended.step];
  std::vector<Member> members = {{"output", ended.output.decode()},
                                 {"status", ended.failed() ? "failed" : "done"},
                                 {"error", ended.failed() ? ended.error->to_value() : Value()},
                                 {"attempts", static_cast<std::int64_t>(ended.attempts)}};
  if (step.type == StepType::call) members.push_back({"child", ended.child});
  return Value::map(std::move(members));
}

Value result_value(const Definition& definition, const StepResult& result) {
  return result_value(definition, EndedRun{.step = result.step,
                                           .attempts = result.attempts,
                                           .output = result.output,
                                           .child = result.child,
                                           .error = result.error.get()});
}

void keep_result(Scope& scope, StepResult result) {
  const StepIndex step = result.step;
  entry_of(scope, step) = std::move(result);
}

void fold_results(const Scope& closing, const FanOut* fan_out, Scope& around) {
  if (closing.last_order > around.last_order) {
    around.last = closing.last;
    around.last_order = closing.last_order;
  }
  for (const StepResult& result : closing.results) {
    StepResult& entry = entry_of(around, result.step);
    const bool again = fan_out != nullptr && entry.from == fan_out->id && entry.attempts != 0;
    if (!again && entry.order > result.order) continue;
    const std::uint64_t latest = std::max(entry.order, result.order);
    entry = result;
    entry.order = latest;
    entry.from = closing.fan_out;
    if (again) entry.several = fan_out->step;
    if (entry.several) {
      entry.output = {};
      entry.error = nullptr;
      entry.child = {};
    }
  }
}

std::string explain_several(const Definition& definition, StepIndex step, StepIndex fan_out) {
  const Step& around = definition.steps[fan_out];
  // A step that loops may fan out as well, when it is done.
  const bool looped = around.loop && stands_in(definition, step, fan_out);
  const std::string what = fmt::format("'{}' ran in several {} of '{}', so it has no single result",
                                       definition.steps[step].name, looped ? "iterations" : "branches", around.name);
  if (looped) return fmt::format("{}: read {}.output.results", what, around.name);
  if (!around.joined_by) return fmt::format("{}: write what you need of each to ctx, or join the branches", what);
  const Step& join = definition.steps[*around.joined_by];
  if (join.join->merge) {
    return fmt::format("{}: '{}' has merged the branches into {}", what, join.name, join.join->merge->target.str());
  }
  return fmt::format("{}: '{}' has applied what they wrote to ctx", what, join.name);
}

void keep_missing_results(const Scope& outer, Scope& scope) {
  for (const StepResult& result : outer.results) {
    StepResult& entry = entry_of(scope, result.step);
    if (entry.attempts == 0) entry = result;
  }
}

}  // namespace stepwell
