#include "stepwell/worker/worker_threads.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stepwell {

WorkerThreads::~WorkerThreads() { close(); }

void WorkerThreads::post(std::span<AttemptPtr> attempts) {
  std::size_t wake = 0;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    waiting_.insert(waiting_.end(), std::move_iterator(attempts.begin()), std::move_iterator(attempts.end()));
    const std::size_t turns = turns_waiting();
    wake = std::min(turns, idle_);
    // One thread after the other: each counts as idle from when it runs.
    for (std::size_t i = idle_; i < turns && threads_.size() < options_.threads; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }
  for (std::size_t i = 0; i < wake; ++i) came_.notify_one();
}

void WorkerThreads::close() {
  std::vector<std::thread> threads;
  std::deque<AttemptPtr> dropped;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    threads.swap(threads_);
    dropped.swap(waiting_);
  }
  came_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void WorkerThreads::work() {
  std::vector<AttemptPtr> turn;
  turn.reserve(options_.turn);
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    came_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    --idle_;
    if (closed_) return;
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(options_.turn, waiting_.size()));
    turn.assign(std::move_iterator(waiting_.begin()), std::move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    lock.unlock();
    run_(turn);
    turn.clear();
    lock.lock();
  }
}

}  // namespace stepwell
