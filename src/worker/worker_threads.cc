#include "stepwell/worker/worker_threads.h"

#include <utility>

namespace stepwell {

WorkerThreads::~WorkerThreads() { close(); }

void WorkerThreads::post(Job job) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  jobs_.push_back(std::move(job));
  if (jobs_.size() > idle_ && threads_.size() < most_) threads_.emplace_back([this] { work(); });
  came_.notify_one();
}

void WorkerThreads::close() {
  std::vector<std::thread> threads;
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    threads.swap(threads_);
    dropped.swap(jobs_);
    came_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

void WorkerThreads::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    came_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    --idle_;
    if (closed_) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
  }
}

}  // namespace stepwell
