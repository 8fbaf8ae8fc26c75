#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace stepwell {

class Attempt;
using AttemptPtr = std::shared_ptr<Attempt>;

// Takes attempts to at most so many threads, in the order they came. A thread is started when an attempt would have to
// wait for one; an idle process has none.
class WorkerThreads {
 public:
  struct Options {
    std::size_t threads = 1;  // at most
    std::size_t turn = 1;     // attempts that a thread takes at once, if so many wait
  };
  // Called by the threads, with one to `turn` attempts; they may be moved from.
  using Run = std::function<void(std::span<AttemptPtr>)>;

  WorkerThreads(Options options, Run run) : options_(options), run_(std::move(run)) {}
  // Drops what has not begun and waits for what has.
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Takes all of them under one lock, and wakes no more threads than they need.
  void post(std::span<AttemptPtr> attempts);
  // Ends early what the destructor does. What is posted afterwards is dropped.
  void close();

 private:
  void work();
  std::size_t turns_waiting() const { return (waiting_.size() + options_.turn - 1) / options_.turn; }

  const Options options_;
  const Run run_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<AttemptPtr> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool closed_ = false;
};

}  // namespace stepwell
