#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace stepwell {

// Runs jobs on at most so many threads, in the order they came. A thread is started when a job would have to wait for
// one; an idle process has none.
class WorkerThreads {
 public:
  using Job = std::move_only_function<void()>;

  explicit WorkerThreads(std::size_t most) : most_(most) {}
  // Drops what has not begun and waits for what has.
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  void post(Job job);
  // Ends early what the destructor does. Jobs that are posted afterwards are dropped.
  void close();

 private:
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Job> jobs_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool closed_ = false;
};

}  // namespace stepwell
