#include "stepwell/model/definition.h"

#include <algorithm>
#include <array>

#include "stepwell/model/bind.h"
#include "stepwell/model/document.h"
#include "stepwell/model/step_reader.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {

namespace {

Policy read_policy(Part part, std::size_t steps) {
  static constexpr auto kFinal = std::to_array<std::string_view>({"fail", "partial"});
  static constexpr auto kFalse = std::to_array<std::string_view>({"hold", "discard"});
  static constexpr auto kStall = std::to_array<std::string_view>({"wait", "complete", "fail"});
  static constexpr auto kFailure = std::to_array<std::string_view>({"fail_any", "fail_fast", "partial", "suspend"});
  static constexpr auto kArcs = std::to_array<std::string_view>({"outcome_aware", "all"});
  Policy policy;
  policy.entry_step = part.index("entry_step", steps);
  policy.final_step = part.optional_index("final_step", steps);
  policy.on_final_failure = static_cast<OnFinalFailure>(part.word("on_final_failure", kFinal));
  policy.no_next_is_error = part.flag("no_next_is_error");
  policy.when_false = static_cast<WhenFalse>(part.word("when_false", kFalse));
  policy.on_stall = static_cast<OnStall>(part.word("on_stall", kStall));
  policy.on_failure = static_cast<OnFailure>(part.word("on_failure", kFailure));
  policy.all_arcs_after_failure = part.word("failed_arcs", kArcs) == 1;
  policy.timeout = part.optional_duration("timeout");
  policy.max_step_runs = part.integer("max_step_runs", 1);
  policy.inline_max = part.integer("inline_max");
  policy.retention = part.duration("retention");
  policy.callable_only = part.flag("callable_only");
  policy.snapshot_every_events = part.integer("snapshot_every_events", 1);
  part.finish();
  return policy;
}

StepList read_list(Part part, std::size_t steps) {
  StepList list;
  for (const auto& [value, at] : part.items("steps")) {
    const bool fits = value->is_int() && value->as_int() >= 0 && static_cast<std::uint64_t>(value->as_int()) < steps;
    if (!fits) part.refuse("steps", "must hold indices of steps");
    list.steps.push_back(fits ? static_cast<StepIndex>(value->as_int()) : 0);
  }
  if (list.steps.empty()) part.refuse("steps", "must not be empty");
  list.owner = part.optional_index("owner", steps);
  part.finish();
  return list;
}

// What follows from the rest: which fan-outs are isolated, and which steps the kernel decides by itself.
void derive(Definition& definition) {
  for (StepIndex i = 0; i < definition.steps.size(); ++i) {
    Step& step = definition.steps[i];
    if (step.join) definition.steps[step.join->from].joined_by = i;
    for (Task& task : step.pipeline) task.pure = task.kind == "noop" || task.kind == "emit";
    const auto does_nothing = [](const Task& task) { return task.kind == "noop" && task.rules.empty(); };
    step.blank = step.type == StepType::task && std::ranges::all_of(step.pipeline, does_nothing);
    step.pure = (step.type == StepType::task && std::ranges::all_of(step.pipeline, &Task::pure)) ||
                step.type == StepType::terminate || step.type == StepType::continue_with;
  }
}

}  // namespace

std::expected<Definition, std::string> read_definition(const Value& canonical) {
  std::optional<std::string> error;
  Part root(canonical, "", error);
  Definition definition;
  if (root.integer("format") != kDefinitionFormat) root.refuse("format", "is not one that this version can read");
  definition.name = root.text("name");
  root.take("description");
  root.take("labels");
  const auto steps = root.items("steps");
  const auto lists = root.items("lists");
  if (auto policy = root.part("policy")) {
    definition.policy = read_policy(std::move(*policy), steps.size());
  } else {
    root.refuse("policy", "is missing");
  }
  if (const Value* workload = root.need("workload")) definition.workload = *workload;
  if (auto schemas = root.part("schema")) {
    definition.workload_schema = schemas->schema("workload");
    definition.ctx_schema = schemas->schema("ctx");
    definition.output_schema = schemas->schema("output");
    schemas->finish();
  }
  definition.reference = root.optional_mapping("reference");
  definition.output = root.optional_mapping("output");
  definition.kinds = root.texts("kinds");
  definition.functions = root.texts("functions");
  if (steps.empty() || lists.empty()) root.refuse("steps", "must not be empty");
  for (const auto& [value, at] : lists) definition.lists.push_back(read_list(Part(*value, at, error), steps.size()));
  for (const auto& [value, at] : steps) {
    definition.steps.push_back(read_step(Part(*value, at, error), {.steps = steps.size(), .lists = lists.size()}));
    if (error) break;
  }
  root.finish();
  if (error) return std::unexpected(std::move(*error));
  derive(definition);
  bind_names(definition);
  definition.canonical = canonical;
  definition.hash = sha256(encode_cbor(canonical));
  return definition;
}

}  // namespace stepwell
