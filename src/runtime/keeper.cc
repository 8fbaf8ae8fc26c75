#include "stepwell/runtime/keeper.h"

#include <utility>

namespace stepwell {

Keeper::~Keeper() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Keeper::add(StoreJob job, Return give_back) {
  {
    const std::scoped_lock lock(mutex_);
    work_.push_back({std::move(job), std::move(give_back)});
  }
  changed_.notify_one();
}

void Keeper::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopped_ || !work_.empty(); });
    if (work_.empty()) return;
    Work work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work.give_back(work.job(store_));
    lock.lock();
  }
}

}  // namespace stepwell
