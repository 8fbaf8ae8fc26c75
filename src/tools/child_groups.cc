#include "stepwell/tools/child_groups.h"

#include <array>
#include <atomic>
#include <csignal>

namespace stepwell {

namespace {

// Places of a fixed array, because a signal handler may not wait for a lock. 0: free.
std::array<std::atomic<int>, 1'024> groups = {};
static_assert(std::atomic<int>::is_always_lock_free);

}  // namespace

KnownGroup::KnownGroup(int group) {
  for (std::size_t i = 0; i < groups.size() && place_ < 0; ++i) {
    int free = 0;
    if (groups[i].compare_exchange_strong(free, group)) place_ = static_cast<int>(i);
  }
}

KnownGroup::~KnownGroup() {
  if (place_ >= 0) groups[static_cast<std::size_t>(place_)] = 0;
}

void kill_known_groups() {
  for (const std::atomic<int>& group : groups) {
    if (const int known = group; known != 0) kill(-known, SIGKILL);
  }
}

}  // namespace stepwell
