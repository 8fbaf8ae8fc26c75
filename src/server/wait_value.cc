#include "stepwell/server/wait_value.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/kernel/playbook/scene.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

namespace {

std::string text_of(const Value& value) { return value.is_text() ? std::string(value.as_text()) : to_json(value); }

std::string_view state_word(TokenState state) {
  switch (state) {
    case TokenState::created: return "created";
    case TokenState::gated:
    case TokenState::recheck: return "gated";
    case TokenState::running: return "running";
    case TokenState::at_join: return "at_join";
  }
  return "";
}

// Says what a run's open work waits for.
class WaitTeller {
 public:
  WaitTeller(const Step& step, const State& state, std::vector<Member>& members)
      : step_(step), state_(state), members_(members) {}

  void operator()(const Deciding&) {}
  void operator()(const OpenAttempt& work) {
    tell("attempt", fmt::format("a worker runs it{}", step_.pipeline.empty() ? "" : ": " + kinds()));
    add("cursor", work.cursor);
  }
  void operator()(const OpenBackoff& work) {
    tell("retry", fmt::format("the next attempt begins at {}", work.at.str()));
    add("at", work.at.str());
    add("cursor", work.cursor);
  }
  void operator()(const OpenTimer& work) {
    tell("timer", fmt::format("a timer, until {}", work.at.str()));
    add("at", work.at.str());
  }
  void operator()(const OpenSignal&) {
    tell("signal", fmt::format("the signal '{}'", step_.wait->signal));
    add("signal", step_.wait->signal);
  }
  void operator()(const OpenTask& work) {
    const std::vector<std::string>& roles = step_.human->roles;
    tell("task", fmt::format("a person{} to complete '{}'",
                             roles.empty() ? "" : fmt::format(" with role {}", fmt::join(roles, " or ")),
                             work.title.is_null() ? step_.name : text_of(work.title.decode())));
    add("title", work.title.decode());
    add("assignee", work.assignee);
    std::vector<Value> names(roles.begin(), roles.end());
    add("roles", Value::list(std::move(names)));
  }
  void operator()(const OpenCall& work) {
    tell("child", fmt::format("the execution '{}', which it has called", work.child));
    add("child", work.child);
  }
  void operator()(const OpenLoop& work) {
    const FanOut* loop = state_.fan_outs->find(work.fan_out);
    if (loop == nullptr) return;
    tell("loop", fmt::format("its iterations: {} of {} done", loop->settled, loop->total));
    add("total", static_cast<std::int64_t>(loop->total));
    add("settled", static_cast<std::int64_t>(loop->settled));
  }
  void operator()(const OpenBlock&) { tell("block", "the steps of its block"); }
  void operator()(const ParkedFailure& work) {
    tell("failure", fmt::format("an operator: it failed with '{}'", work.error->message));
    add("error", work.error->to_value());
  }
  void operator()(const OpenBlobs&) { tell("blobs", "stored values to be loaded"); }

 private:
  std::string kinds() const {
    std::vector<std::string_view> names;
    names.reserve(step_.pipeline.size());
    for (const Task& task : step_.pipeline) names.emplace_back(task.kind);
    return fmt::format("{}", fmt::join(names, ", "));
  }
  void tell(std::string_view kind, std::string_view words) {
    members_.push_back({"wait", kind});
    members_.push_back({"words", words});
  }
  void add(std::string_view name, Value value) {
    if (value.is_null() || (value.is_text() && value.as_text().empty())) return;
    members_.push_back({name, std::move(value)});
  }

  const Step& step_;
  const State& state_;
  std::vector<Member>& members_;
};

// One part of the way from the root to a scope: the fan-out, loop or block that it is of, and which.
Value scope_part(const Definition& definition, const State& state, const Scope& scope) {
  if (scope.kind == ScopeKind::block) {
    const Run* owner = state.runs.find(scope.inner->owner);
    return Value::map({{"block", owner == nullptr ? Value() : Value(run_name(definition, *owner))}});
  }
  const FanOut* fan_out = state.fan_outs->find(scope.fan_out);
  const Value step = fan_out == nullptr ? Value() : Value(definition.steps[fan_out->step].name);
  return Value::map({{scope.kind == ScopeKind::branch ? "branch_of" : "iteration_of", step},
                     {"index", static_cast<std::int64_t>(scope.index)}});
}

Value scope_path(const Definition& definition, const State& state, ScopeId id) {
  std::vector<Value> path;
  for (const Scope* scope = state.scopes.find(id); scope != nullptr && scope->kind != ScopeKind::root;
       scope = state.scopes.find(scope->parent)) {
    path.push_back(scope_part(definition, state, *scope));
  }
  std::ranges::reverse(path);
  return Value::list(std::move(path));
}

void tell_gate(const Step& step, std::vector<Member>& members) {
  const std::string guard = step.when ? step.when->program.source : step.when_sql;
  members.push_back({"wait", "gate"});
  members.push_back({"guard", guard});
  members.push_back({"words", fmt::format("its guard to be true: {}", guard)});
}

void tell_join(const Step& step, const Definition& definition, std::vector<Member>& members) {
  members.push_back({"wait", "join"});
  members.push_back({"words", fmt::format("the other branches of '{}'", definition.steps[step.join->from].name)});
}

}  // namespace

Value token_value(const Instance& instance, const Token& token) {
  const State& state = instance.state;
  const Definition& definition = instance.playbook->definition;
  const Step& step = definition.steps[token.step];
  std::vector<Member> members = {{"token", static_cast<std::int64_t>(token.id.number)},
                                 {"step", step.name},
                                 {"scope", scope_path(definition, state, token.scope)},
                                 {"state", state_word(token.state)}};
  if (stored(token.state) == TokenState::gated) tell_gate(step, members);
  if (token.state == TokenState::at_join && step.join) tell_join(step, definition, members);
  if (const Run* run = state.runs.find(token.run)) {
    members.push_back({"run", run_name(definition, *run)});
    members.push_back({"attempt", static_cast<std::int64_t>(run->attempt)});
    if (run->deadline) members.push_back({"deadline", run->deadline->str()});
    std::visit(WaitTeller(step, state, members), run->work);
  }
  return Value::map(std::move(members));
}

}  // namespace stepwell
