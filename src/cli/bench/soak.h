#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stepwell::cli {

// What a few seconds of a soak were like.
struct SoakSample {
  double at = 0;  // seconds since the beginning, at its end
  double executions_per_second = 0;
  double p50 = 0;  // seconds
  double p99 = 0;
  double resident_mib = 0;
  double descriptors = 0;
};

// The second fifth of a soak beside its last: the first is warming up.
struct SoakWindows {
  SoakSample early = {};
  SoakSample late = {};
};
// The medians of what was sampled in each. At least ten samples.
SoakWindows windows_of(const std::vector<SoakSample>& samples);

// What has grown, in words; empty if all is flat. Latency counts only if it is asked for: in a short run, a busy
// neighbour decides it.
std::string growth_of(const SoakWindows& windows, bool latency_counts);

}  // namespace stepwell::cli
