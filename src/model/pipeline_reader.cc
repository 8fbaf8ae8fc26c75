#include <algorithm>
#include <array>

#include "stepwell/model/step_reader.h"

namespace stepwell {

namespace {

Rule read_rule(Part part, const std::vector<std::string>& labels) {
  static constexpr auto kActions = std::to_array<std::string_view>({"continue", "retry", "jump", "break", "fail"});
  Rule rule;
  rule.when = part.expression("when");
  rule.action = static_cast<RuleAction>(part.word("do", kActions));
  if (rule.action == RuleAction::retry) {
    rule.retry.max_attempts = part.integer("attempts", 1);
    read_backoff(part, rule.retry);
  }
  if (rule.action == RuleAction::jump) {
    const std::string label = part.text("to");
    const auto found = std::ranges::find(labels, label);
    if (found == labels.end()) part.refuse("to", "names no task of the pipeline");
    rule.to = static_cast<std::size_t>(found - labels.begin());
  }
  rule.set_ctx = part.optional_mapping("set_ctx");
  rule.set_vars = part.optional_mapping("set_vars");
  rule.set_iter = part.optional_mapping("set_iter");
  part.finish();
  return rule;
}

std::vector<MappingMember> read_fields(Part part, const Value& fields) {
  std::vector<MappingMember> all;
  if (!fields.is_map()) return all;
  for (const Member& field : fields.as_map()) {
    all.push_back({std::string(field.key()), part.mapping(field.key())});
  }
  return all;
}

// A task from the workbook holds the entry's tool inside: it becomes one task, with the call's label, args and rules.
Task read_task(Part part, const std::vector<std::string>& labels) {
  Task task;
  task.label = part.text("label");
  task.kind = part.text("kind");
  task.args = part.optional_mapping("args");
  if (auto inner = part.part("tool")) {
    Task entry = read_task(std::move(*inner), labels);
    task.kind = std::move(entry.kind);
    task.fields = std::move(entry.fields);
    task.rules = std::move(entry.rules);
  } else if (const Value* fields = part.need("fields")) {
    task.fields = read_fields(*part.part("fields"), *fields);
  }
  for (const auto& [value, at] : part.optional_items("eval")) {
    task.rules.push_back(read_rule(Part(*value, at, part.error()), labels));
  }
  part.finish();
  return task;
}

}  // namespace

std::vector<Task> read_pipeline(Part& step) {
  const auto items = step.items("pipeline");
  std::vector<std::string> labels;
  for (const auto& [value, at] : items) {
    const Value* label = value->find("label");
    labels.emplace_back(label != nullptr && label->is_text() ? label->as_text() : "");
  }
  std::vector<Task> tasks;
  tasks.reserve(items.size());
  for (const auto& [value, at] : items) tasks.push_back(read_task(Part(*value, at, step.error()), labels));
  return tasks;
}

}  // namespace stepwell
