#pragma once

#include <string>
#include <vector>

#include "stepwell/compile/testing/arbitrary_steps.h"

namespace stepwell::testing {

inline Value arbitrary_policy(Dice& dice, bool has_final_step) {
  Canon spec;
  if (dice.flip()) spec.put("entry_step", "s1");
  if (has_final_step) spec.put("final_step", "last_of_all");
  if (dice.flip()) spec.put("on_failure", dice.word({"fail_any", "fail_fast", "partial", "suspend"}));
  if (dice.flip()) spec.put("when_false", dice.word({"hold", "discard"}));
  if (dice.flip()) spec.put("on_stall", dice.word({"wait", "complete", "fail"}));
  if (dice.flip()) spec.put("failed_arcs", dice.word({"outcome_aware", "all"}));
  if (dice.flip()) spec.put("no_next_is_error", dice.flip());
  if (dice.flip()) spec.put("timeout", arbitrary_duration(dice));
  if (dice.flip()) spec.put("retention", arbitrary_duration(dice));
  if (dice.flip()) spec.put("inline_max", dice.word({"64KiB", "1KiB", "10MB"}));
  if (dice.flip()) spec.put("max_step_runs", static_cast<std::int64_t>(1 + dice.below(1000)));
  spec.put("kinds", Value::list({"own_kind", "another_kind"}));
  Canon executor;
  executor.put("spec", spec.finish());
  return executor.finish();
}

inline Value arbitrary_data_map(Dice& dice) {
  Canon map;
  for (const char* key : {"limit", "on", "a b"}) {
    if (dice.flip()) map.put(key, arbitrary_data(dice));
  }
  return map.finish();
}

// A random playbook without mistakes, of about `size` steps, as a document in its plainest form: what `rephrased` and
// the printer start from.
inline Value arbitrary_playbook(Dice& dice, std::size_t size) {
  Canon root;
  const bool has_final_step = dice.one_in(3);
  root.put("executor", arbitrary_policy(dice, has_final_step));
  Canon metadata;
  metadata.put("name", "billing/approve_invoice");
  if (dice.flip()) metadata.put("description", "No: yes");
  root.put("metadata", metadata.finish());
  ArbitraryExpressions at_start(dice, {"workload.limit", "execution.id"});
  if (dice.flip()) root.put("workload", arbitrary_data_map(dice));
  if (dice.flip()) root.put("reference", at_start.computed());
  if (dice.flip()) {
    Canon schemas;
    for (const char* of : {"workload", "ctx", "output"}) {
      if (dice.flip()) schemas.put(of, arbitrary_schema(dice));
    }
    root.put("schema", schemas.finish());
  }

  ArbitrarySteps steps(dice);
  const Value list = steps.list(size, {});
  std::vector<Value> workflow(list.as_list().begin(), list.as_list().end());
  if (has_final_step) workflow.push_back(steps.lone_task("last_of_all"));
  root.put("workflow", Value::list(std::move(workflow)));

  ArbitraryExpressions at_end(dice, {"ctx.total", "s1.output.id", "workload.limit"});
  if (dice.flip()) root.put("output", arbitrary_map_mapping(dice, at_end));
  Canon entry;
  entry.put("name", "shared");
  entry.put("tool", arbitrary_tool(dice, {"ctx.total", "args.n"}, {.may_write_ctx = false, .labels = {}}));
  root.put("workbook", Value::list({entry.finish()}));
  return root.finish();
}

}  // namespace stepwell::testing
