#include "stepwell/cli/bench/measure.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <malloc.h>
#include <sys/resource.h>

namespace stepwell::cli {

Sorted::Sorted(std::vector<double> values) : values_(std::move(values)) { std::ranges::sort(values_); }

double Sorted::at(double part) const {
  if (values_.empty()) return 0;
  const auto place = static_cast<std::size_t>(part * static_cast<double>(values_.size()));
  return values_[std::min(place, values_.size() - 1)];
}

double cpu_seconds() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

ProcessMemory memory_of(const std::string& process) {
  ProcessMemory memory;
  std::ifstream status("/proc/" + process + "/status");
  for (std::string word; status >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) memory.peak_bytes = kibibytes * 1024;
    if (word == "VmRSS:" && status >> kibibytes) memory.resident_bytes = kibibytes * 1024;
  }
  return memory;
}

void settle_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << '5';
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

}  // namespace stepwell::cli
