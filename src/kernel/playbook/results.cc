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

}  // namespace

const StepResult* find_result(const State& state, ScopeId scope, StepIndex step) {
  for (ScopeId at = scope; at; at = state.scopes.at(at).parent) {
    const std::vector<StepResult>& results = state.scopes.at(at).results;
    const auto found = std::ranges::lower_bound(results, step, {}, &StepResult::step);
    if (found != results.end() && found->step == step) return &*found;
  }
  return nullptr;
}

Value result_value(const Definition& definition, const StepResult& result) {
  const Step& step = definition.steps[result.step];
  std::vector<Member> members = {{"output", result.output.decode()},
                                 {"status", result.failed ? "failed" : "done"},
                                 {"error", Value()},
                                 {"attempts", static_cast<std::int64_t>(result.attempts)}};
  if (result.error != nullptr) members[2].value = result.error->to_value();
  if (step.type == StepType::call) members.push_back({"child", result.child});
  return Value::map(std::move(members));
}

void keep_result(Scope& scope, StepResult result) {
  scope.last = result.step;
  scope.has_last = true;
  StepResult& entry = entry_of(scope, result.step);
  entry = std::move(result);
}

void fold_results(const Scope& closing, Scope& around) {
  if (closing.has_last) {
    around.last = closing.last;
    around.has_last = true;
  }
  for (const StepResult& result : closing.results) {
    StepResult& entry = entry_of(around, result.step);
    const bool again = closing.fan_out && entry.from == closing.fan_out && entry.attempts != 0;
    const bool several = result.several || again;
    entry = result;
    entry.from = closing.fan_out;
    entry.several = several;
    if (several) {
      entry.output = {};
      entry.error = nullptr;
      entry.child = {};
    }
  }
}

void keep_missing_results(const Scope& outer, Scope& scope) {
  for (const StepResult& result : outer.results) {
    StepResult& entry = entry_of(scope, result.step);
    if (entry.attempts == 0) entry = result;
  }
}

}  // namespace stepwell
