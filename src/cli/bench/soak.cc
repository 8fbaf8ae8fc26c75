#include "stepwell/cli/bench/soak.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/cli/bench/bench_engine.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {

namespace {

constexpr std::size_t kSoakInFlight = 256;
constexpr std::size_t kSamples = 60;
constexpr double kMinute = 60;
constexpr double kLatencyCountsFrom = 5;  // minutes

// What may differ without being growth: the allocator's reserve, segments that are about to be let go.
constexpr double kMemoryFactor = 1.15;
constexpr double kMemoryMib = 16;
constexpr double kDescriptors = 8;
constexpr double kLatencyFactor = 2;

double median(const std::vector<SoakSample>& samples, double SoakSample::* member) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const SoakSample& sample : samples) values.push_back(sample.*member);
  return Sorted(std::move(values)).at(0.5);
}

SoakSample medians(const std::vector<SoakSample>& samples) {
  SoakSample result;
  for (double SoakSample::* member : {&SoakSample::at, &SoakSample::executions_per_second, &SoakSample::p50,
                                      &SoakSample::p99, &SoakSample::resident_mib, &SoakSample::descriptors}) {
    result.*member = median(samples, member);
  }
  return result;
}

std::string line_of(const SoakSample& sample, bool json) {
  if (!json) {
    return fmt::format("{:>7.0f} s {:>8.0f} executions/s   p50 {:>8.2f} ms   p99 {:>8.2f} ms {:>8.1f} MiB {:>5} files",
                       sample.at, sample.executions_per_second, sample.p50 * kMilli, sample.p99 * kMilli,
                       sample.resident_mib, sample.descriptors);
  }
  const auto rounded = [](double value) { return Value(std::round(value * 1e3) / 1e3); };
  return to_json(Value::map({{"sample", "soak"},
                             {"at", rounded(sample.at)},
                             {"executions_per_second", rounded(sample.executions_per_second)},
                             {"p50_ms", rounded(sample.p50 * kMilli)},
                             {"p99_ms", rounded(sample.p99 * kMilli)},
                             {"resident_mib", rounded(sample.resident_mib)},
                             {"descriptors", rounded(sample.descriptors)}}));
}

// What of a mix ends at different times: steps in a row, branches and their join, a timer.
std::expected<std::vector<PlaybookPtr>, std::string> mix(BenchEngine& bench) {
  std::vector<PlaybookPtr> playbooks;
  const std::pair<const char*, std::string> kTexts[] = {
      {"sequence", sequence_playbook()}, {"fan_out", fan_out_playbook(10)}, {"nap", nap_playbook("100ms")}};
  for (const auto& [name, text] : kTexts) {
    auto playbook = bench.add(name, text);
    if (!playbook) return std::unexpected(playbook.error());
    playbooks.push_back(std::move(*playbook));
  }
  return playbooks;
}

std::expected<SoakSample, std::string> sample_after(BenchEngine& bench, double seconds, const Stopwatch& watch) {
  const double before = watch.seconds();
  if (auto waited = bench.wait(seconds); !waited) return std::unexpected(waited.error());
  const Sorted latency = bench.take_measured();
  return SoakSample{.at = watch.seconds(),
                    .executions_per_second = static_cast<double>(latency.size()) / (watch.seconds() - before),
                    .p50 = latency.at(0.5),
                    .p99 = latency.at(0.99),
                    .resident_mib = static_cast<double>(memory_of("self").resident_bytes) / kMebi,
                    .descriptors = static_cast<double>(open_descriptors())};
}

}  // namespace

SoakWindows windows_of(const std::vector<SoakSample>& samples) {
  CHECK(samples.size() >= 10);
  const auto fifth = static_cast<std::ptrdiff_t>(samples.size() / 5);
  return {.early = medians({samples.begin() + fifth, samples.begin() + 2 * fifth}),
          .late = medians({samples.end() - fifth, samples.end()})};
}

std::string growth_of(const SoakWindows& windows, bool latency_counts) {
  const auto& [early, late] = windows;
  std::string growth;
  if (late.resident_mib > early.resident_mib * kMemoryFactor + kMemoryMib) {
    growth += fmt::format("; memory from {:.1f} to {:.1f} MiB", early.resident_mib, late.resident_mib);
  }
  if (late.descriptors > early.descriptors + kDescriptors) {
    growth += fmt::format("; descriptors from {} to {}", early.descriptors, late.descriptors);
  }
  if (latency_counts && late.p50 > early.p50 * kLatencyFactor) {
    growth += fmt::format("; p50 from {:.2f} to {:.2f} ms", early.p50 * kMilli, late.p50 * kMilli);
  }
  return growth.empty() ? growth : growth.substr(2);
}

Benched bench_soak(const BenchPlace& place) {
  auto bench = BenchEngine::open_new(place);
  if (!bench) return std::unexpected(bench.error());
  auto playbooks = mix(**bench);
  if (!playbooks) return std::unexpected(playbooks.error());
  const double seconds = place.minutes * kMinute;
  const Meter meter(**bench);
  (*bench)->begin({std::move(*playbooks), SIZE_MAX, kSoakInFlight});
  std::vector<SoakSample> samples;
  samples.reserve(kSamples);
  double executions = 0;
  for (const Stopwatch watch; samples.size() < kSamples;) {
    const double next = seconds * static_cast<double>(samples.size() + 1) / kSamples;
    auto sample = sample_after(**bench, std::max(0.0, next - watch.seconds()), watch);
    if (!sample) return std::unexpected(sample.error());
    executions += sample->executions_per_second * seconds / kSamples;
    if (place.line) place.line(line_of(*sample, place.json));
    samples.push_back(*sample);
  }
  if (auto finished = (*bench)->finish(); !finished) return std::unexpected(finished.error());
  const SoakWindows windows = windows_of(samples);
  const std::string growth = growth_of(windows, place.minutes >= kLatencyCountsFrom);
  BenchResult result;
  meter.read(result);
  result.reached = {windows.late.resident_mib, "MiB", "resident in the last fifth"};
  result.floor = Figure{windows.early.resident_mib, "MiB", "resident in the second fifth"};
  result.ratio = windows.late.resident_mib / windows.early.resident_mib;
  result.goal = growth.empty() ? "flat" : "flat; not: " + growth;
  result.met = growth.empty();
  result.more = {{"executions", Value(std::round(executions))},
                 {"early_p50_ms", Value(windows.early.p50 * kMilli)},
                 {"late_p50_ms", Value(windows.late.p50 * kMilli)},
                 {"early_descriptors", Value(windows.early.descriptors)},
                 {"late_descriptors", Value(windows.late.descriptors)}};
  return result;
}

}  // namespace stepwell::cli
