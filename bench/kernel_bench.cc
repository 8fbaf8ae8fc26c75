// The kernel alone: what the completion of a step costs, decided, applied and encoded, with one guard and one set; and
// what an event costs in executions of very different sizes, which should not differ.

#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/compile/load.h"
#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/kernel/playbook/decide.h"

#include "allocations.h"
#include "timing.h"

namespace stepwell {
namespace {

Definition load(const std::string& text) {
  Diagnostics diagnostics("bench");
  const auto document = load_document(text, "bench", diagnostics);
  CHECK(document.has_value());
  auto definition = read_definition(document->definition);
  CHECK(definition.has_value());
  return std::move(*definition);
}

Stamp stamp_of(std::uint64_t number) {
  return {.time = *Instant::from_micros(static_cast<std::int64_t>(1'750'000'000'000'000 + number))};
}

// Two steps that follow each other for ever: each completion takes an arc with a guard, writes ctx and offers the next.
const Definition& cycle() {
  static const Definition made = load(R"(
executor: {spec: {kinds: [work]}}
workload: {limit: 1000000000000}
workflow:
  - {step: one, tool: {kind: work}, set: {ctx.total: "{{ output.total }}"}, next: [{step: two, when: "output.total < workload.limit"}]}
  - {step: two, tool: {kind: work}, set: {ctx.total: "{{ output.total }}"}, next: [{step: one, when: "output.total < workload.limit"}]}
)");
  return made;
}

struct Execution {
  State state;
  WaitingToken offered;
};

WaitingToken offer_in(const Decision& decision) {
  for (const Effect& effect : decision.effects) {
    if (const auto* offer = std::get_if<OfferAttempt>(&effect)) return offer->waiting_token;
  }
  return {};
}

void step_completion(benchmark::State& state) {
  std::vector<Execution> executions(static_cast<std::size_t>(state.range(0)));
  for (Execution& execution : executions) {
    const Command start{Start{.execution = "e", .version = 1, .workload = Value::map({})}};
    execution.offered = offer_in(decide(cycle(), execution.state, start, stamp_of(0), kNoLookups).value());
    const Command patch{PatchCtx{Value::map({{"a", 1}, {"b", "two"}, {"c", 3.5}, {"d", true}})}};
    CHECK(decide(cycle(), execution.state, patch, stamp_of(0), kNoLookups).has_value());
  }
  const EncodedValue output(Value::map({{"total", 42}, {"id", "A-17"}}));
  Decision decision;
  std::string frame;
  std::size_t at = 0;
  std::uint64_t number = 0;
  const std::uint64_t allocated = allocations();
  for (auto _ : state) {
    Execution& execution = executions[at];
    at = at + 1 == executions.size() ? 0 : at + 1;
    const Command report{ReportAttempt{.waiting_token = execution.offered, .output = output}};
    CHECK(decide(cycle(), execution.state, report, stamp_of(++number), kNoLookups, decision).has_value());
    if (frame.size() > 1'000'000) frame.clear();
    append_command(frame, report);
    append_events(frame, decision.events);
    execution.offered = offer_in(decision);
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["allocations"] =
      static_cast<double>(allocations() - allocated) / static_cast<double>(state.iterations());
}
BENCHMARK(step_completion)->Arg(64)->Arg(4096);

// What an execution of ten steps holds in memory while it waits at the last one, with five fields in ctx.
void idle_execution(benchmark::State& state) {
  const Definition definition = load(R"(
executor: {spec: {kinds: [work]}}
workflow:
  - {step: first,   set: {ctx.customer: "ACME", ctx.total: 1250.5, ctx.lines: 3, ctx.paid: false, ctx.note: "rush"}, next: second}
  - {step: second,  next: third}
  - {step: third,   next: fourth}
  - {step: fourth,  next: fifth}
  - {step: fifth,   next: sixth}
  - {step: sixth,   next: seventh}
  - {step: seventh, next: eighth}
  - {step: eighth,  next: ninth}
  - {step: ninth,   next: tenth}
  - {step: tenth,   tool: {kind: work}}
)");
  constexpr std::size_t kExecutions = 1'000;
  std::size_t held = 0;
  for (auto _ : state) {
    const std::size_t before = held_bytes();
    std::vector<State> executions(kExecutions);
    for (std::size_t i = 0; i < kExecutions; ++i) {
      const Command start{Start{.execution = fmt::format("01J{:023}", i), .version = 1, .workload = {}}};
      CHECK(decide(definition, executions[i], start, stamp_of(i), kNoLookups).has_value());
      CHECK(executions[i].open_work == 1);
    }
    held = held_bytes() - before;
  }
  state.counters["bytes"] = static_cast<double>(held) / kExecutions;
}
BENCHMARK(idle_execution)->Unit(benchmark::kMicrosecond);

// All events of an execution with that many branches, each event's share.
void per_event(benchmark::State& state, const std::string& text) {
  const Definition definition = load(text);
  std::vector<Value> items;
  for (std::int64_t i = 0; i < state.range(0); ++i) items.emplace_back(i);
  const Value workload = Value::map({{"items", Value::list(std::move(items))}});
  std::uint64_t events = 0;
  for (auto _ : state) {
    State execution;
    Command command{Start{.execution = "e", .version = 1, .workload = workload}};
    for (bool yields = true; yields; command = Command{Yield{}}) {
      const auto decision = decide(definition, execution, command, stamp_of(0), kNoLookups);
      CHECK(decision.has_value());
      events += decision->events.size();
      yields = execution.yielded();
    }
    CHECK(execution.phase == Phase::ended || execution.watched->gates.size() > 0);
  }
  state.counters["ns_per_event"] =
      benchmark::Counter(static_cast<double>(events) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void fan_out_and_join(benchmark::State& state) {
  per_event(state, R"(
workflow:
  - {step: split, next: [{step: each, foreach: {in: "{{ workload.items }}", as: item}}]}
  - {step: each, set: {ctx.x: "{{ item }}"}, next: all}
  - {step: all, join: {from: split, merge: {strategy: append, source: x, target: ctx.all}}}
workload: {items: []}
)");
}
BENCHMARK(fan_out_and_join)->Arg(10)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void loop(benchmark::State& state) {
  per_event(state, R"(
workflow:
  - {step: each, loop: {in: "{{ workload.items }}", iterator: item}}
workload: {items: []}
)");
}
BENCHMARK(loop)->Arg(10)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void gated_tokens(benchmark::State& state) {
  per_event(state, R"(
workflow:
  - {step: split, next: [{step: each, foreach: {in: "{{ workload.items }}", as: item}}]}
  - {step: each, when: "ctx.go"}
workload: {items: []}
)");
}
BENCHMARK(gated_tokens)->Arg(10)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

// A signal that one wait takes, beside that many that wait for another one.
void signal_beside_waits(benchmark::State& state) {
  const Definition definition = load(R"(
workflow:
  - step: split
    spec: {next_mode: inclusive}
    next: [{step: beat}, {step: each, foreach: {in: "{{ workload.items }}", as: item}}]
  - {step: beat, type: wait, signal: beat, next: beat}
  - {step: each, type: wait, signal: other}
workload: {items: []}
executor: {spec: {max_step_runs: 1000000000}}
)");
  State execution;
  std::vector<Value> items(static_cast<std::size_t>(state.range(0)));
  Command command{
      Start{.execution = "e", .version = 1, .workload = Value::map({{"items", Value::list(std::move(items))}})}};
  for (bool yields = true; yields; command = Command{Yield{}}) {
    CHECK(decide(definition, execution, command, stamp_of(0), kNoLookups).has_value());
    yields = execution.yielded();
  }
  const Command beat{Signal{.name = "beat"}};
  for (auto _ : state) CHECK(decide(definition, execution, beat, stamp_of(0), kNoLookups).has_value());
}
BENCHMARK(signal_beside_waits)->Arg(10)->Arg(1'000)->Arg(100'000);

}  // namespace
}  // namespace stepwell

BENCHMARK_MAIN();
