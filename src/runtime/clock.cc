#include "stepwell/runtime/clock.h"

#include <cerrno>
#include <chrono>
#include <cstring>

#include <sys/random.h>

#include "stepwell/base/check.h"

namespace stepwell {

namespace {

class SystemClock final : public Clock {
 public:
  Instant now() const override {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    const auto now = Instant::from_micros(std::chrono::duration_cast<std::chrono::microseconds>(since).count());
    CHECK(now.has_value());
    return *now;
  }
};

// Fetches a page of randomness at a time: a system call for each command would cost as much as deciding it.
class SystemDice final : public Dice {
 public:
  Entropy roll() override {
    thread_local Page page;
    if (page.used == kPage) page.fill();
    Entropy entropy;
    std::memcpy(entropy.data(), page.bytes + page.used, entropy.size());
    page.used += entropy.size();
    return entropy;
  }

 private:
  static constexpr std::size_t kPage = 4096;
  struct Page {
    unsigned char bytes[kPage] = {};
    std::size_t used = kPage;
    // A signal may cut it short.
    void fill() {
      for (used = kPage; used != 0;) {
        const ssize_t got = getrandom(bytes + (kPage - used), used, 0);
        CHECK(got > 0 || errno == EINTR);
        if (got > 0) used -= static_cast<std::size_t>(got);
      }
    }
  };
};

}  // namespace

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

Dice& system_dice() {
  static SystemDice dice;
  return dice;
}

}  // namespace stepwell
