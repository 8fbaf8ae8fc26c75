#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stepwell/base/instant.h"

namespace stepwell {

enum class TimerKind : std::uint8_t { execution_deadline, join_deadline, run_deadline, run_wake };

struct Timer {
  Instant at = {};
  TimerKind kind = TimerKind::run_wake;
  std::uint64_t id = 0;  // of the fan-out or run

  friend auto operator<=>(const Timer&, const Timer&) = default;
};

// The timers of an execution, the earliest first. One that is not wanted any more stays until it is met or until
// `keep_if` sweeps: whoever asks must look whether it still stands.
class Timers {
 public:
  void add(Timer timer) {
    heap_.push_back(timer);
    std::ranges::push_heap(heap_, std::greater());
  }
  const Timer* earliest() const { return heap_.empty() ? nullptr : &heap_.front(); }
  void drop_earliest() {
    std::ranges::pop_heap(heap_, std::greater());
    heap_.pop_back();
  }
  // The earliest of those that stand.
  template <typename Stands>
  const Timer* earliest_if(Stands stands) const {
    const Timer* earliest = nullptr;
    for (const Timer& timer : heap_) {
      if (stands(timer) && (earliest == nullptr || timer < *earliest)) earliest = &timer;
    }
    return earliest;
  }
  std::size_t size() const { return heap_.size(); }
  void clear() { heap_.clear(); }
  template <typename Stands>
  void keep_if(Stands stands) {
    std::erase_if(heap_, [&](const Timer& timer) { return !stands(timer); });
    std::ranges::make_heap(heap_, std::greater());
  }

 private:
  std::vector<Timer> heap_;
};

}  // namespace stepwell
