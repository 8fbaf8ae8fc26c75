#pragma once

#include <functional>
#include <vector>

#include "stepwell/kernel/playbook/state.h"
#include "stepwell/runtime/request.h"
#include "stepwell/store/store.h"

namespace stepwell {

// What a shard does after a job, on its own thread again.
using Continuation = std::move_only_function<void()>;
// What must not happen on a shard's thread, since it may wait for the disk.
using StoreJob = std::move_only_function<Continuation(Store&)>;

// What a shard asks of those around it. No call may wait. send() and run() may come from any thread, the others come
// from the one that runs the shard.
class Surroundings {
 public:
  // Run these attempts and report. Only open ones, only after what led to them is durable.
  virtual void offer(std::vector<Offer> offers) = 0;
  // These are not wanted any more.
  virtual void cancel(std::vector<AttemptId> attempts) = 0;
  // An execution has ended, and that is durable.
  virtual void ended(const State& state) = 0;
  // Takes a request to the shard that holds its execution, which may be the same one.
  virtual void send(Request request) = 0;
  // Runs jobs of a shard one after the other, elsewhere, and then their continuations where the shard is run.
  virtual void run(StoreJob job) = 0;

 protected:
  ~Surroundings() = default;
};

}  // namespace stepwell
