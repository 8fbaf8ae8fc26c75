#include <fmt/format.h>

#include "stepwell/cli/bench/bench_engine.h"
#include "stepwell/cli/bench/floors.h"

namespace stepwell::cli {

namespace {

// Runs it so many times, one after the other.
Benched fan_out(const BenchPlace& place, std::size_t branches, std::size_t times) {
  const auto before = sync_floor(place.directory);
  if (!before) return std::unexpected(before.error());
  auto bench = BenchEngine::open_new(place);
  if (!bench) return std::unexpected(bench.error());
  const auto playbook = (*bench)->add("fan_out", fan_out_playbook(branches));
  if (!playbook) return std::unexpected(playbook.error());
  const Meter meter(**bench);
  auto latency = (*bench)->run({{*playbook}, times});
  if (!latency) return std::unexpected(latency.error());
  BenchResult result{.steps = (branches + 2) * times, .latency = std::move(*latency)};
  meter.read(result);
  const double peak = static_cast<double>(memory_of("self").peak_bytes) / kMebi;
  const auto after = sync_floor(place.directory);
  if (!after) return std::unexpected(after.error());
  result.reached = {result.latency.at(0.5), "s", "an execution"};
  result.floor = Figure{*before + *after, "s", "2 x (write + fdatasync)"};
  result.ratio = result.reached.value / result.floor->value;
  result.more = {{"branches", Value(static_cast<std::int64_t>(branches))}, {"peak_mib", Value(peak)}};
  return result;
}

}  // namespace

std::string fan_out_playbook(std::size_t branches) {
  return fmt::format(R"(
executor: {{spec: {{kinds: [echo]}}}}
workflow:
  - {{step: split, next: [{{step: each, foreach: {{in: "{{{{ range({}) }}}}", as: item}}}}]}}
  - {{step: each, tool: {{kind: echo}}, next: together}}
  - {{step: together, join: {{from: split}}}}
)",
                     branches);
}

Benched bench_fan_out_1000(const BenchPlace& place) {
  constexpr double kGoal = 0.010;
  auto result = fan_out(place, 1'000, place.quick ? 5 : 50);
  if (!result) return result;
  result->goal = "<= floor + 10 ms";
  result->met = result->reached.value <= result->floor->value + kGoal;
  return result;
}

Benched bench_fan_out_100000(const BenchPlace& place) {
  constexpr double kGoal = 5;
  auto result = fan_out(place, place.quick ? 10'000 : 100'000, 1);
  if (!result) return result;
  result->goal = "< 5 s";
  result->met = result->reached.value < kGoal;
  return result;
}

}  // namespace stepwell::cli
