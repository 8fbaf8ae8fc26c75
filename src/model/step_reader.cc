#include "stepwell/model/step_reader.h"

#include <algorithm>
#include <array>

namespace stepwell {

namespace {

constexpr auto kTypes =
    std::to_array<std::string_view>({"task", "human", "wait", "call", "continue_with", "block", "terminate"});
constexpr auto kOnTimeout = std::to_array<std::string_view>({"fail", "continue"});

Loop read_loop(Part part) {
  static constexpr auto kPolicies = std::to_array<std::string_view>({"fail_fast", "continue"});
  Loop loop;
  loop.in = part.mapping("in");
  loop.iterator = part.text("iterator");
  loop.max_in_flight = part.integer("max_in_flight", 1);
  loop.go_on_after_failure = part.word("on_failure", kPolicies) == 1;
  part.finish();
  return loop;
}

Merge read_merge(Part part) {
  static constexpr auto kStrategies =
      std::to_array<std::string_view>({"append", "merge_object", "keyed_by_branch", "last_wins"});
  Merge merge;
  merge.strategy = static_cast<MergeStrategy>(part.word("strategy", kStrategies));
  if (part.take("source") != nullptr) merge.source = part.path("source");
  merge.target = part.path("target");
  merge.key = part.optional_mapping("key");
  part.finish();
  return merge;
}

Join read_join(Part part, const Sizes& sizes) {
  static constexpr auto kModes = std::to_array<std::string_view>({"all", "any", "m_of_n"});
  static constexpr auto kEarly = std::to_array<std::string_view>({"cancel", "abandon"});
  static constexpr auto kTimeout = std::to_array<std::string_view>({"fail", "proceed"});
  Join join;
  join.from = part.index("from", sizes.steps);
  join.mode = static_cast<JoinMode>(part.word("mode", kModes));
  if (join.mode == JoinMode::m_of_n) join.m = part.integer("m_of_n", 1);
  const std::vector<std::string> allow = part.texts("allow");
  join.allow_ended = std::ranges::count(allow, "ended") != 0;
  join.allow_failed = std::ranges::count(allow, "failed") != 0;
  join.abandon_early = part.word("on_early_complete", kEarly) == 1;
  join.timeout = part.optional_duration("timeout");
  join.proceed_on_timeout = part.word("on_timeout", kTimeout) == 1;
  if (auto merge = part.part("merge")) join.merge = read_merge(std::move(*merge));
  part.finish();
  return join;
}

Assignment read_assignment(Part part) {
  static constexpr auto kRoots = std::to_array<std::string_view>({"ctx", "iter", "reference"});
  Assignment assignment;
  assignment.value = part.mapping("value");
  const Path target = part.path("target");
  const std::string_view root = !target.empty() && target[0].is_key() ? target[0].key() : std::string_view();
  const auto known = std::ranges::find(kRoots, root);
  if (known == kRoots.end()) {
    part.refuse("target", "must begin with ctx, iter or reference");
    return assignment;
  }
  assignment.root = static_cast<AssignedRoot>(known - kRoots.begin());
  assignment.path = target.without_first(1);
  part.finish();
  return assignment;
}

Arc read_arc(Part part, const Sizes& sizes) {
  static constexpr auto kOn = std::to_array<std::string_view>({"done", "failed", "timeout", "any"});
  Arc arc;
  arc.target = part.index("target", sizes.steps);
  arc.on = static_cast<ArcOn>(part.word("on", kOn));
  arc.when = part.expression("when");
  arc.args = part.optional_mapping("args");
  if (auto each = part.part("foreach")) {
    arc.foreach = Foreach{.in = each->mapping("in"),
                          .as = each->optional_text("as"),
                          .max_in_flight = each->optional_integer("max_in_flight")};
    each->finish();
  }
  part.finish();
  return arc;
}

Human read_human(Part part) {
  Human human;
  human.title = part.optional_mapping("title");
  human.assignee = part.optional_mapping("assignee");
  human.payload = part.optional_mapping("payload");
  human.roles = part.texts("roles");
  human.form = part.schema("form");
  for (const auto& [value, at] : part.optional_items("options")) human.options.push_back(*value);
  human.go_on_after_timeout = part.word("on_timeout", kOnTimeout) == 1;
  part.finish();
  return human;
}

Wait read_wait(Part part) {
  Wait wait;
  wait.duration = part.optional_duration("for");
  wait.until = part.expression("until");
  wait.signal = part.optional_text("signal");
  wait.match = part.expression("match");
  wait.schema = part.schema("schema");
  wait.go_on_after_timeout = part.word("on_timeout", kOnTimeout) == 1;
  part.finish();
  return wait;
}

Callee read_callee(Part part, StepType type) {
  static constexpr auto kFailure = std::to_array<std::string_view>({"propagate", "catch"});
  static constexpr auto kTerminate = std::to_array<std::string_view>({"continue", "fail"});
  Callee callee;
  callee.playbook = part.text("playbook");
  callee.version = part.optional_integer("version");
  callee.input = part.optional_mapping("input");
  if (type == StepType::call) {
    callee.catch_failure = part.word("on_failure", kFailure) == 1;
    callee.fail_on_terminate = part.word("on_terminate", kTerminate) == 1;
    callee.inherit_artifacts = part.flag("inherit_artifacts");
  }
  part.finish();
  return callee;
}

Terminate read_terminate(Part part) {
  static constexpr auto kStatus = std::to_array<std::string_view>({"failed", "success"});
  Terminate terminate;
  terminate.success = part.word("status", kStatus) == 1;
  terminate.reason = part.mapping("reason");
  terminate.output = part.optional_mapping("output");
  part.finish();
  return terminate;
}

Retry read_retry(Part part) {
  Retry retry;
  retry.max_attempts = part.integer("max_attempts", 1);
  read_backoff(part, retry);
  if (part.take("on") != nullptr) retry.on = part.texts("on");
  part.finish();
  return retry;
}

// What only this type has. It must be there for the types that have it, and for no other.
void read_own(Part& part, Step& step, const Sizes& sizes) {
  const bool is_task = step.type == StepType::task;
  if (is_task) step.pipeline = read_pipeline(part);
  if (step.type == StepType::block) step.block = part.index("block", sizes.lists);
  const std::string_view key = kTypes[static_cast<std::size_t>(step.type)];
  if (is_task || step.type == StepType::block) return;
  auto own = part.part(key);
  if (!own) return part.refuse(key, "is missing");
  if (step.type == StepType::human) step.human = read_human(std::move(*own));
  if (step.type == StepType::wait) step.wait = read_wait(std::move(*own));
  if (step.type == StepType::call || step.type == StepType::continue_with)
    step.callee = read_callee(std::move(*own), step.type);
  if (step.type == StepType::terminate) step.terminate = read_terminate(std::move(*own));
}

}  // namespace

void read_backoff(Part& part, Retry& retry) {
  static constexpr auto kShapes = std::to_array<std::string_view>({"none", "fixed", "linear", "exponential"});
  retry.backoff = static_cast<Backoff>(part.word("backoff", kShapes));
  retry.delay = part.duration("delay");
  retry.max_delay = part.optional_duration("max_delay");
  retry.jitter = part.real("jitter");
}

Step read_step(Part part, const Sizes& sizes) {
  static constexpr auto kModes = std::to_array<std::string_view>({"exclusive", "inclusive"});
  Step step;
  step.name = part.text("name");
  step.type = static_cast<StepType>(part.word("type", kTypes));
  step.list = part.index("list", sizes.lists);
  part.take("description");
  step.when = part.expression("when");
  step.when_sql = part.optional_text("when_sql");
  step.args = part.optional_mapping("args");
  if (auto loop = part.part("loop")) step.loop = read_loop(std::move(*loop));
  if (auto join = part.part("join")) step.join = read_join(std::move(*join), sizes);
  if (auto retry = part.part("retry")) step.retry = read_retry(std::move(*retry));
  step.timeout = part.optional_duration("timeout");
  step.output = part.schema("output");
  for (const auto& [value, at] : part.optional_items("set")) {
    step.set.push_back(read_assignment(Part(*value, at, part.error())));
  }
  step.inclusive = part.word("next_mode", kModes) == 1;
  step.pool = part.optional_text("pool");
  for (const auto& [value, at] : part.items("arcs"))
    step.arcs.push_back(read_arc(Part(*value, at, part.error()), sizes));
  read_own(part, step, sizes);
  part.finish();
  return step;
}

}  // namespace stepwell
