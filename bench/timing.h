#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace stepwell {

// Of the processor, not of the clock on the wall: what else the machine does must not show in a ratio.
inline double cpu_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// What that many calls take together.
double nanoseconds_of(std::int64_t times, auto& work) {
  const double start = cpu_nanoseconds();
  for (std::int64_t i = 0; i < times; ++i) work();
  return cpu_nanoseconds() - start;
}

// So many calls that reading the clock is nothing beside them.
std::int64_t batch_of(auto& work) {
  constexpr double kEnough = 1e6;
  std::int64_t times = 1;
  while (times < 1'000'000 && nanoseconds_of(times, work) < kEnough) times *= 4;
  return times;
}

// Times `ours`, and beside it the floor it is measured by, turn by turn, so that both meet the same machine. The time
// of the benchmark is that of one call of `ours`; `floor_ns` is one call of the floor, and `ratio` ours over it. The
// benchmark is registered with UseManualTime().
void beside(auto& state, auto ours, auto floor) {
  const std::int64_t batch = batch_of(ours);
  double ours_total = 0;
  double floor_total = 0;
  while (state.KeepRunningBatch(batch)) {
    const double taken = nanoseconds_of(batch, ours);
    floor_total += nanoseconds_of(batch, floor);
    ours_total += taken;
    state.SetIterationTime(taken * 1e-9);
  }
  state.counters["floor_ns"] = floor_total / static_cast<double>(state.iterations());
  state.counters["ratio"] = ours_total / floor_total;
}

}  // namespace stepwell
