#pragma once

#include "stepwell/base/check.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/model/definition.h"

// A playbook with a step of each kind, made by hand because the compiler is not seen from here, and where it can stand.
namespace stepwell::testing {

inline Step sample_step(std::string name, StepType type) {
  Step step;
  step.name = std::move(name);
  step.type = type;
  return step;
}

// split fans out to work, wait, ask, call and loop, and tally joins them.
inline Definition sample_definition() {
  Definition definition;
  definition.name = "sample";
  definition.workload = Value::map({});
  definition.policy.max_step_runs = 1'000;
  definition.policy.timeout = Duration::micros(3'600'000'000);
  Step split = sample_step("split", StepType::task);
  split.pure = true;
  split.blank = true;
  split.inclusive = true;
  split.joined_by = 6;
  for (StepIndex target = 1; target <= 5; ++target) split.arcs.emplace_back().target = target;
  Step work = sample_step("work", StepType::task);
  work.pipeline.emplace_back().kind = "work";
  work.timeout = Duration::micros(60'000'000);
  Step wait = sample_step("wait", StepType::wait);
  wait.wait.emplace().signal = "go";
  Step ask = sample_step("ask", StepType::human);
  ask.human.emplace();
  Step call = sample_step("call", StepType::call);
  call.callee.emplace().playbook = "other";
  Step loop = sample_step("loop", StepType::task);
  loop.pipeline.emplace_back().kind = "work";
  loop.loop.emplace().in = {Value::list({1, 2})};
  loop.loop->iterator = "each";
  Step tally = sample_step("tally", StepType::task);
  tally.pure = true;
  tally.blank = true;
  tally.join.emplace().timeout = Duration::micros(600'000'000);
  for (Step* step : {&work, &wait, &ask, &call, &loop}) step->arcs.emplace_back().target = 6;
  definition.steps = {split, work, wait, ask, call, loop, tally};
  definition.lists.emplace_back().steps = {0, 1, 2, 3, 4, 5, 6};
  return definition;
}

// The sample, started: a run of each kind waits.
inline State sample_state(const Definition& definition) {
  State state;
  const Stamp stamp{.time = *Instant::from_micros(1'767'225'600'000'000)};
  const auto decision = decide(definition, state, {.body = Start{.execution = "e1", .version = 1}}, stamp, kNoLookups);
  CHECK(decision.has_value());
  return state;
}

}  // namespace stepwell::testing
