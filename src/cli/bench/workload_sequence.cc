#include <algorithm>

#include <fmt/format.h>

#include "stepwell/cli/bench/bench_engine.h"
#include "stepwell/cli/bench/floors.h"

namespace stepwell::cli {

namespace {

// As many executions once before anything is measured as are measured then, if it lasts: segments are made, caches are
// warm.
std::expected<BenchResult, std::string> run_sequences(const BenchPlace& place, std::size_t executions,
                                                      std::size_t in_flight, bool into_history) {
  auto bench = BenchEngine::open_new(place);
  if (!bench) return std::unexpected(bench.error());
  const auto playbook = (*bench)->add("sequence", sequence_playbook());
  if (!playbook) return std::unexpected(playbook.error());
  const std::size_t warm_up = into_history ? executions : executions / 4;
  if (auto warm = (*bench)->run({{*playbook}, warm_up, in_flight}); !warm) return std::unexpected(warm.error());
  Runtime& runtime = (*bench)->engine().runtime();
  if (auto moved = runtime.checkpoint(); into_history && !moved) return std::unexpected(moved.error().message);
  const Meter meter(**bench);
  auto latency = (*bench)->run({{*playbook}, executions, in_flight});
  if (!latency) return std::unexpected(latency.error());
  if (into_history) {
    if (auto moved = runtime.checkpoint(); !moved) return std::unexpected(moved.error().message);
  }
  BenchResult result{.steps = executions * kSequenceSteps, .latency = std::move(*latency)};
  meter.read(result);
  return result;
}

Benched at_load(const BenchPlace& place, std::size_t executions, std::size_t in_flight, double goal) {
  const auto before = sqlite_floor(place.directory);
  if (!before) return std::unexpected(before.error());
  auto result = run_sequences(place, place.quick ? executions / 10 : executions, in_flight, false);
  if (!result) return result;
  const auto after = sqlite_floor(place.directory);
  if (!after) return std::unexpected(after.error());
  const double floor = (*before + *after) / 2;
  result->reached = {static_cast<double>(result->steps) / result->seconds, "/s", "steps"};
  result->floor = Figure{floor, "/s", "rows into SQLite, 100 to a synced commit"};
  result->ratio = result->reached.value / floor;
  result->goal = fmt::format(">= {:.2f} x floor", goal);
  result->met = result->ratio >= goal;
  return result;
}

}  // namespace

std::string sequence_playbook() {
  std::string text = "executor: {spec: {kinds: [echo]}}\nworkflow:\n";
  for (std::uint64_t i = 1; i <= kSequenceSteps; ++i) {
    text += fmt::format("  - {{step: s{}, tool: {{kind: echo}}{}}}\n", i,
                        i == kSequenceSteps ? "" : fmt::format(", next: s{}", i + 1));
  }
  return text;
}

Benched bench_sequence_1(const BenchPlace& place) {
  constexpr double kGoal = 1.35;
  const auto before = sync_floor(place.directory);
  if (!before) return std::unexpected(before.error());
  auto result = run_sequences(place, place.quick ? 40 : 400, 1, false);
  if (!result) return result;
  const auto after = sync_floor(place.directory);
  if (!after) return std::unexpected(after.error());
  const double floor = (*before + *after) / 2 * (kSequenceSteps + 1);
  result->reached = {result->latency.at(0.5), "s", "an execution"};
  result->floor = Figure{floor, "s", "11 x (write + fdatasync)"};
  result->ratio = result->reached.value / floor;
  result->goal = fmt::format("<= {:.2f} x floor", kGoal);
  result->met = result->ratio <= kGoal;
  return result;
}

Benched bench_sequence_64(const BenchPlace& place) { return at_load(place, 10'000, 64, 0.40); }

Benched bench_sequence_1024(const BenchPlace& place) { return at_load(place, 40'000, 1'024, 0.80); }

Benched bench_bytes(const BenchPlace& place) {
  constexpr double kGoal = 400;
  auto result = run_sequences(place, place.quick ? 4'000 : 40'000, 1'024, true);
  if (!result) return result;
  const double bytes = static_cast<double>(result->written_bytes) / static_cast<double>(result->steps);
  result->reached = {bytes, "B", "written per step"};
  result->ratio = bytes / kGoal;
  result->goal = fmt::format("<= {} B", kGoal);
  result->met = bytes <= kGoal;
  return result;
}

}  // namespace stepwell::cli
