#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

// Time, and what this process uses.
namespace stepwell::cli {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Measurements in order.
class Sorted {
 public:
  Sorted() = default;
  explicit Sorted(std::vector<double> values);
  // The one that this part of them is not above: 0.5 is the median. 0 if there are none.
  double at(double part) const;
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<double> values_;
};

// Of the whole process up to now.
double cpu_seconds();
// Of a process, "self" for this one; 0 if there is none any more.
struct ProcessMemory {
  std::uint64_t resident_bytes = 0;
  std::uint64_t peak_bytes = 0;
};
ProcessMemory memory_of(const std::string& process);
// Gives back what the allocator keeps, and begins the peak anew: what follows is measured by itself.
void settle_memory();
std::size_t open_descriptors();

}  // namespace stepwell::cli
