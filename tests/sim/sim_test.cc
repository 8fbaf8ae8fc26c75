#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/record_body.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

#include "sim_world.h"

namespace stepwell {
namespace {

// Three steps in a row that retry, a fan-out with a join, a called playbook, a timer and a signal.
constexpr const char* kOrder = R"(
workload: {n: 1}
output: {total: "{{ ctx.total }}", child: "{{ ask.output.twice }}", paid: "{{ paid.output.amount }}"}
executor: {spec: {kinds: [work]}}
workflow:
  - {step: first, tool: {kind: work}, retry: {max_attempts: 10, delay: 1s}, set: {ctx.total: "{{ output }}"}, next: split}
  - {step: split, next: [{step: part, foreach: {in: "{{ [1, 2, 3] }}", as: item}}]}
  - {step: part, tool: {kind: work}, retry: {max_attempts: 10, delay: 1s}, set: {ctx.part: "{{ output }}"}, next: sum}
  - step: sum
    join: {from: split, merge: {strategy: append, source: part, target: ctx.parts}}
    set: {ctx.total: "{{ ctx.total + (ctx.parts | sum) }}"}
    next: ask
  - {step: ask, type: call, playbook: child, input: {n: "{{ workload.n }}"}, next: rest}
  - {step: rest, type: wait, for: 3s, next: paid}
  - {step: paid, type: wait, signal: paid}
)";

constexpr const char* kChild = R"(
workload: {n: 1}
output: {twice: "{{ double.output * 2 }}"}
executor: {spec: {kinds: [work]}}
workflow:
  - {step: double, tool: {kind: work}, retry: {max_attempts: 10, delay: 1s}}
)";

std::uint64_t seed() {
  const char* given = std::getenv("STEPWELL_SEED");
  return given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
}

// Every third attempt fails, the others answer 7.
std::function<ReportAttempt(const Offer&)> flaky_tool() {
  return [calls = 0](const Offer&) mutable -> ReportAttempt {
    if (++calls % 3 == 0) {
      RunError error{.error_class = ErrorClass::transport, .kind = "connection", .message = "gone", .retryable = true};
      return {.outcome = Outcome::failed, .error = Shared<RunError>(std::move(error))};
    }
    return {.outcome = Outcome::done, .output = EncodedValue(Value(7))};
  };
}

// What the records of an execution say, by the only way there is: replay.
Value output_of(SimWorld& world, const std::string& execution) {
  Instance instance;
  EXPECT_TRUE(world.store()
                  .read_records(execution, 0,
                                [&](const Record& record, const RecordHash& hash) {
                                  if (instance.playbook == nullptr) {
                                    const auto body = decode_body(record.body);
                                    const auto& started = std::get<WorkflowStarted>(body->events.front());
                                    instance.playbook = *world.playbooks().find(started.playbook, started.version);
                                  }
                                  // Deciding the recorded command again decides the same.
                                  const auto body = decode_body(record.body);
                                  State before =
                                      instance.state.version == 0
                                          ? State()
                                          : *decode_state(instance.playbook->definition, encode_state(instance.state));
                                  const auto again = decide(instance.playbook->definition, before, body->command,
                                                            body->stamp, kNoLookups);
                                  ASSERT_TRUE(again.has_value()) << again.error().message;
                                  std::string bytes;
                                  append_body(bytes, body->stamp, body->command, again->events);
                                  EXPECT_EQ(bytes, record.body);
                                  const auto replayed = replay(instance, record, hash);
                                  ASSERT_TRUE(replayed.has_value()) << replayed.error();
                                })
                  .has_value());
  EXPECT_EQ(instance.state.phase, Phase::ended) << execution;
  EXPECT_EQ(instance.state.end_status, EndStatus::completed) << execution;
  return instance.state.output.decode();
}

void play(std::uint64_t seed, SimFaults faults) {
  SCOPED_TRACE(fmt::format("STEPWELL_SEED={}", seed));
  SimWorld world(seed, 2, faults);
  world.add_playbook("child", kChild);
  world.add_playbook("order", kOrder);
  world.set_tool(flaky_tool());
  constexpr int kExecutions = 12;
  for (int i = 0; i < kExecutions; ++i) world.start("order", fmt::format("order-{}", i), *parse_json("{}"));
  world.run(2'000);
  for (int i = 0; i < kExecutions; ++i) {
    const std::string id = fmt::format("order-{}", i);
    world.submit(
        {.execution = id,
         .command = {Signal{.name = "paid", .payload = EncodedValue(*parse_json(R"({"amount": 5})"))}, id + "/paid"}});
  }
  world.run(2'000);
  for (int i = 0; i < kExecutions; ++i) {
    const std::string id = fmt::format("order-{}", i);
    EXPECT_EQ(to_json(output_of(world, id)), R"({"paid":5,"child":14,"total":28})") << id;
    const auto row = world.store().find_execution(id);
    ASSERT_TRUE(row.has_value() && row->has_value()) << id;
    EXPECT_EQ((*row)->status, "completed") << id;
  }
}

TEST(Sim, WithoutFaultsEverythingEnds) { play(seed(), {}); }

TEST(Sim, RepeatedReportsChangeNothing) { play(seed(), {.repeated_report = 300}); }

TEST(Sim, CrashesLoseNothing) {
  for (std::uint64_t i = 0; i < 20; ++i) play(seed() + i, {.crash = 20, .repeated_report = 100});
}

TEST(Sim, LostAndUnknownAppendsLoseNothing) {
  for (std::uint64_t i = 0; i < 20; ++i) play(seed() + i, {.crash = 5, .lost_append = 50, .unknown_append = 50});
}

}  // namespace
}  // namespace stepwell
