#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "stepwell/runtime/surroundings.h"

namespace stepwell {

// Does, on a thread of its own and one after the other, what shards ask of the store beside the commit path: so what is
// written by one job is there for the next.
class Keeper {
 public:
  using Return = std::function<void(Continuation)>;

  // Borrows the store.
  explicit Keeper(Store& store) : store_(store), thread_([this] { run(); }) {}
  // Does what is still to be done.
  ~Keeper();

  // Any thread. `give_back` is called on the keeper's.
  void add(StoreJob job, Return give_back);

 private:
  struct Work {
    StoreJob job;
    Return give_back;
  };

  void run();

  Store& store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> work_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace stepwell
