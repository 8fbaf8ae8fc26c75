#include <atomic>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "stepwell/cli/bench/bench_engine.h"
#include "stepwell/cli/bench/floors.h"
#include "stepwell/cli/interrupt.h"
#include "stepwell/runtime/clock.h"
#include "stepwell/runtime/execution_id.h"

namespace stepwell::cli {

namespace {

constexpr double kMicros = 1e6;

// Starts one that waits for the signal, and answers how long the signal takes until what it moves is durable.
std::expected<double, std::string> send_signal(Engine& engine, const std::string& id) {
  if (auto started = engine.start({.playbook = "wait", .id = id}); !started) {
    return std::unexpected(started.error().message);
  }
  const Stopwatch watch;
  const Answer answer = engine.runtime().ask({.execution = id, .command = {Signal{.name = "go"}}});
  const double seconds = watch.seconds();
  if (answer.kind != Answer::Kind::accepted) return std::unexpected(answer.refusal.message);
  return seconds;
}

// Starts executions that sleep for a day. Says so when all that were started are durable.
std::expected<void, std::string> put_to_sleep(Engine& engine, const PlaybookPtr& playbook, std::size_t count) {
  std::atomic<std::size_t> accepted = 0;
  std::atomic<std::size_t> answered = 0;
  for (std::size_t i = 0; i < count && !Interrupt::asked(); ++i) {
    const std::string id = fresh_execution_id(system_clock().now(), system_dice().roll());
    engine.runtime().submit(
        {.execution = id,
         .command = {Start{.execution = id, .version = playbook->version, .workload = Value::map({})}},
         .playbook = playbook,
         .fresh = true,
         .reply = [&](const Answer& answer) {
           if (answer.kind == Answer::Kind::accepted) ++accepted;
           ++answered;
         }});
    if (i + 1 < count) continue;
    while (answered < count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (Interrupt::asked()) return std::unexpected("interrupted");
  if (accepted != count) return std::unexpected(fmt::format("{} starts were not accepted", count - accepted));
  return {};
}

}  // namespace

std::string nap_playbook(std::string_view duration) {
  return fmt::format("workflow:\n  - {{step: nap, type: wait, for: {}}}\n", duration);
}

Benched bench_timers(const BenchPlace& place) {
  constexpr double kNap = 2;
  constexpr double kGoal = 0.050;
  auto bench = BenchEngine::open_new(place);
  if (!bench) return std::unexpected(bench.error());
  const auto playbook = (*bench)->add("nap", nap_playbook("2s"));
  if (!playbook) return std::unexpected(playbook.error());
  const std::size_t count = place.quick ? 1'000 : 10'000;
  // Late is the time from the instant it was to fire to the durable end.
  const auto late = [](const State& state) {
    return static_cast<double>((system_clock().now() - state.started_at).micros()) / kMicros - kNap;
  };
  const Meter meter(**bench);
  auto lateness = (*bench)->run({{*playbook}, count, count, late});
  if (!lateness) return std::unexpected(lateness.error());
  BenchResult result{.steps = count, .latency = std::move(*lateness)};
  meter.read(result);
  result.reached = {result.latency.at(0.99), "s", "p99 of lateness"};
  result.ratio = result.reached.value / kGoal;
  result.goal = "<= 50 ms";
  result.met = result.reached.value <= kGoal;
  return result;
}

Benched bench_sleepers(const BenchPlace& place) {
  constexpr double kGoal = 500;
  auto bench = BenchEngine::open_new(place);
  if (!bench) return std::unexpected(bench.error());
  const auto playbook = (*bench)->add("nap", nap_playbook("1d"));
  if (!playbook) return std::unexpected(playbook.error());
  const std::size_t count = place.quick ? 10'000 : 1'000'000;
  const Meter meter(**bench);
  Engine& engine = (*bench)->engine();
  if (auto asleep = put_to_sleep(engine, *playbook, count); !asleep) return std::unexpected(asleep.error());
  if (auto written = engine.runtime().catch_up(); !written) return std::unexpected(written.error().message);
  const ProcessMemory memory = memory_of("self");
  BenchResult result{.steps = count};
  meter.read(result);
  result.reached = {static_cast<double>(memory.peak_bytes) / kMebi, "MiB", "peak resident"};
  result.ratio = result.reached.value / kGoal;
  result.goal = "<= 500 MiB";
  result.met = result.reached.value <= kGoal;
  result.more = {{"executions", Value(static_cast<std::int64_t>(count))},
                 {"resident_mib", Value(static_cast<double>(memory.resident_bytes) / kMebi)}};
  return result;
}

Benched bench_signal(const BenchPlace& place) {
  constexpr double kGoal = 2;
  const auto before = sync_floor(place.directory);
  if (!before) return std::unexpected(before.error());
  auto bench = BenchEngine::open_new(place);
  if (!bench) return std::unexpected(bench.error());
  const auto playbook = (*bench)->add("wait", "workflow:\n  - {step: go, type: wait, signal: go}\n");
  if (!playbook) return std::unexpected(playbook.error());
  const std::size_t count = place.quick ? 30 : 500;
  std::vector<double> seconds;
  seconds.reserve(count);
  const Meter meter(**bench);
  for (std::size_t i = 0; i < count; ++i) {
    const auto each = send_signal((*bench)->engine(), fmt::format("w{}", i));
    if (!each) return std::unexpected(each.error());
    seconds.push_back(*each);
  }
  BenchResult result{.steps = count, .latency = Sorted(std::move(seconds))};
  meter.read(result);
  const auto after = sync_floor(place.directory);
  if (!after) return std::unexpected(after.error());
  result.reached = {result.latency.at(0.5), "s", "p50"};
  result.floor = Figure{(*before + *after) / 2, "s", "write + fdatasync"};
  result.ratio = result.reached.value / result.floor->value;
  result.goal = "<= 2.00 x floor";
  result.met = result.ratio <= kGoal;
  return result;
}

}  // namespace stepwell::cli
