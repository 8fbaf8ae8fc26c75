#include "stepwell/cli/bench/bench_result.h"

#include <cmath>

#include <fmt/format.h>

#include "stepwell/value/json_write.h"

namespace stepwell::cli {

namespace {

constexpr double kMicro = 1e6;

std::string seconds_text(double seconds) {
  if (seconds < 1 / kMilli) return fmt::format("{:.0f} us", seconds * kMicro);
  return seconds < 1 ? fmt::format("{:.2f} ms", seconds * kMilli) : fmt::format("{:.2f} s", seconds);
}

std::string text_of(const Figure& figure) {
  if (figure.unit == "s") return seconds_text(figure.value);
  return fmt::format("{:.0f} {}", figure.value, figure.unit);
}

// Six digits say all that a measurement can.
Value number(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0) return 0;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

Value figure_value(const Figure& figure) {
  return Value::map({{"value", number(figure.value)}, {"unit", Value(figure.unit)}, {"what", Value(figure.what)}});
}

double per_step(const BenchResult& result) {
  return result.steps == 0 ? 0 : static_cast<double>(result.written_bytes) / static_cast<double>(result.steps);
}

double rate(const BenchResult& result) {
  return result.seconds == 0 ? 0 : static_cast<double>(result.steps) / result.seconds;
}

std::string or_dash(bool there, std::string text) { return there ? std::move(text) : "-"; }

constexpr std::string_view kRow = "{:<16} {:>8} {:>9} {:>9} {:>6} {:>6}  {:<14} {:<14} {:>6}  {:<22} {}";

}  // namespace

std::string json_line(std::string_view workload, const BenchResult& result) {
  const bool steps = result.steps != 0;
  const bool timed = result.latency.size() != 0;
  const Value none;
  std::vector<Member> members = {
      {"workload", Value(workload)},
      {"steps", Value(static_cast<std::int64_t>(result.steps))},
      {"seconds", number(result.seconds)},
      {"steps_per_second", steps ? number(rate(result)) : none},
      {"p50_ms", timed ? number(result.latency.at(0.5) * kMilli) : none},
      {"p99_ms", timed ? number(result.latency.at(0.99) * kMilli) : none},
      {"cpu_seconds", number(result.cpu_seconds)},
      {"bytes_per_step", steps ? number(per_step(result)) : none},
      {"reached", figure_value(result.reached)},
      {"floor", result.floor ? figure_value(*result.floor) : none},
      {"ratio", number(result.ratio)},
      {"goal", Value(result.goal)},
      {"met", Value(result.met)},
  };
  members.insert(members.end(), result.more.begin(), result.more.end());
  return to_json(Value::map(std::move(members)));
}

std::string table_head() {
  return fmt::format(kRow, "WORKLOAD", "STEPS/S", "P50", "P99", "CPU S", "B/STEP", "REACHED", "FLOOR", "RATIO", "GOAL",
                     "");
}

std::string table_row(std::string_view workload, const BenchResult& result) {
  const bool steps = result.steps != 0;
  const bool timed = result.latency.size() != 0;
  return fmt::format(kRow, workload, or_dash(steps, fmt::format("{:.0f}", rate(result))),
                     or_dash(timed, seconds_text(result.latency.at(0.5))),
                     or_dash(timed, seconds_text(result.latency.at(0.99))), fmt::format("{:.2f}", result.cpu_seconds),
                     or_dash(steps, fmt::format("{:.0f}", per_step(result))), text_of(result.reached),
                     result.floor ? text_of(*result.floor) : "-", fmt::format("{:.2f}", result.ratio), result.goal,
                     result.met ? "met" : "missed");
}

}  // namespace stepwell::cli
