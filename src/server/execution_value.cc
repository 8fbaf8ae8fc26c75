#include "stepwell/server/execution_value.h"

#include <utility>

#include "stepwell/kernel/playbook/results.h"
#include "stepwell/server/wait_value.h"
#include "stepwell/value/json_read.h"

namespace stepwell {

namespace {

void add(std::vector<Member>& members, std::string_view name, Value value) {
  if (value.is_null() || (value.is_text() && value.as_text().empty())) return;
  members.push_back({name, std::move(value)});
}

// A column that holds JSON.
Value json_column(const std::string& text) {
  if (text.empty()) return {};
  auto value = parse_json(text);
  return value ? *std::move(value) : Value(text);
}

Value results_value(const Instance& instance) {
  const Scope* root = instance.state.scopes.find(kRootScope);
  if (root == nullptr) return Value::map({});
  std::vector<Member> steps;
  steps.reserve(root->results.size());
  for (const StepResult& result : root->results) {
    const Definition& definition = instance.playbook->definition;
    // A step that ran in several branches has no result of its own.
    if (result.several) continue;
    steps.push_back({definition.steps[result.step].name, result_value(definition, result)});
  }
  return Value::map(std::move(steps));
}

}  // namespace

Value row_value(const ExecutionRow& row) {
  std::vector<Member> members = {{"execution", row.id},
                                 {"playbook", row.playbook},
                                 {"playbook_version", row.playbook_version},
                                 {"status", row.status},
                                 {"version", static_cast<std::int64_t>(row.version)},
                                 {"started_at", row.started_at.str()}};
  add(members, "definition_hash", row.definition_hash);
  add(members, "reference", row.reference);
  add(members, "parent", row.parent);
  add(members, "wait", row.wait);
  add(members, "error", json_column(row.error));
  add(members, "labels", json_column(row.labels));
  if (row.wake_at) add(members, "wake_at", row.wake_at->str());
  if (row.ended_at) add(members, "ended_at", row.ended_at->str());
  return Value::map(std::move(members));
}

Value state_value(const Instance& instance) {
  const State& state = instance.state;
  std::vector<Member> members = {
      {"execution", state.execution},         {"version", static_cast<std::int64_t>(state.version)},
      {"status", row_of(instance, 0).status}, {"at", instance.last_time.str()},
      {"workload", state.workload},           {"ctx", state.ctx},
      {"steps", results_value(instance)},     {"tokens", tokens_value(instance)}};
  add(members, "reference", state.reference);
  if (state.phase >= Phase::ended) members.push_back({"output", state.output.decode()});
  return Value::map(std::move(members));
}

Value tokens_value(const Instance& instance) {
  std::vector<Value> tokens;
  tokens.reserve(instance.state.tokens.size());
  instance.state.tokens.each([&](const Token& token) { tokens.push_back(token_value(instance, token)); });
  return Value::list(std::move(tokens));
}

bool moves_by_itself(const State& state) {
  if (state.phase >= Phase::ended) return false;
  if (state.yielded() || (state.rarely != nullptr && !state.rarely->outbox.empty())) return true;
  bool moves = false;
  state.runs.each([&](const Run& run) {
    moves = moves || std::holds_alternative<OpenAttempt>(run.work) || std::holds_alternative<OpenBackoff>(run.work) ||
            std::holds_alternative<OpenTimer>(run.work) || std::holds_alternative<OpenBlobs>(run.work);
  });
  return moves;
}

std::vector<std::string> called_executions(const State& state) {
  std::vector<std::string> children;
  state.runs.each([&](const Run& run) {
    if (const auto* call = std::get_if<OpenCall>(&run.work)) children.push_back(call->child);
  });
  return children;
}

}  // namespace stepwell
