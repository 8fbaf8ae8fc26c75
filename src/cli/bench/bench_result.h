#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/cli/bench/measure.h"
#include "stepwell/value/value.h"

namespace stepwell::cli {

// Milliseconds of a second; bytes of a MiB.
inline constexpr double kMilli = 1e3;
inline constexpr double kMebi = 1U << 20;

// A number, what it is counted in ("s", "/s", "B", "MiB") and what it is of.
struct Figure {
  double value = 0;
  std::string_view unit = {};
  std::string what = {};
};

// What a workload has come to, beside what the machine can do.
struct BenchResult {
  std::uint64_t steps = 0;  // 0: it is not about steps
  double seconds = 0;
  Sorted latency = {};  // seconds
  double cpu_seconds = 0;
  std::uint64_t written_bytes = 0;

  Figure reached = {};
  std::optional<Figure> floor = {};
  double ratio = 0;       // of what was reached to the floor; if there is none, to the goal
  std::string goal = {};  // "<= 1.35 x floor"
  bool met = false;
  std::vector<Member> more = {};  // numbers of this workload only
};

// A line of JSON, without its end.
std::string json_line(std::string_view workload, const BenchResult& result);
// A row of the table, without its end; its head.
std::string table_row(std::string_view workload, const BenchResult& result);
std::string table_head();

}  // namespace stepwell::cli
