#pragma once

#include <atomic>
#include <cstdint>

namespace stepwell {

// How many hold a block that threads share. It begins with one.
class Owners {
 public:
  void add() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

  // Takes one away. True: it was the last, and the block is the caller's to free. Who alone holds a block need not lock
  // the count, since nobody else could add to it; that saves most of what a block with a short life costs.
  [[nodiscard]] bool drop() noexcept {
    return count_.load(std::memory_order_acquire) == 1 || count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

 private:
  std::atomic<std::uint32_t> count_ = 1;
};

}  // namespace stepwell
