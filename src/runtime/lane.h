#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "stepwell/runtime/runtime.h"

namespace stepwell {

// A thread that runs one shard.
class Lane final : public Surroundings {
 public:
  Lane(Runtime& runtime, std::uint32_t number);
  ~Lane();

  // Before start(): on the caller's thread.
  Stored<> recover() { return shard_.recover(runtime_.store_); }
  void start();
  // What was submitted before is decided and becomes durable, then the thread ends.
  void stop();

  // Any thread. An outside request waits while the inbox or the memory is full.
  void add(Request request, bool outside);
  void add(std::vector<Report> reports);
  // Runs something on the lane's thread; false if it has ended.
  bool call(std::function<void(Shard&)> what);
  void drop_all();     // an append has failed
  void recover_now();  // all lanes have dropped what was lost

  // Surroundings
  void offer(std::vector<Offer> offers) override { runtime_.workers_.offer(std::move(offers)); }
  void cancel(std::vector<AttemptId> attempts) override { runtime_.workers_.cancel(std::move(attempts)); }
  void ended(const State& state) override {
    if (runtime_.options_.ended) runtime_.options_.ended(state);
  }
  void send(Request request) override { runtime_.lane_of(request.execution).add(std::move(request), false); }
  void run(StoreJob job) override;

 private:
  // What comes in from other threads.
  struct Inbox {
    std::vector<Request> requests = {};
    std::vector<Continuation> continuations = {};
    std::vector<std::function<void(Shard&)>> calls = {};
    std::vector<Returned> returned = {};
    bool drop = false;
    bool recover = false;
    bool stop = false;

    bool empty() const {
      return requests.empty() && continuations.empty() && calls.empty() && returned.empty() && !drop && !recover;
    }
    // Keeps its room, unless that is for more requests than `most`.
    void clear(std::size_t most);
  };

  void loop();
  void wait();
  void take();
  void take_back();
  void lose(Sealed sealed, const StoreError& why);
  void recover_after_loss();
  void commit();
  bool idle_otherwise();
  bool idle();

  Runtime& runtime_;
  Shard shard_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable room_;
  Inbox inbox_;
  bool crowded_ = false;  // outside requests wait until some executions have left memory
  bool ended_ = false;

  // Of the lane's thread.
  Inbox taken_;                // what it works on; changes places with inbox_, so that both keep their room
  std::size_t in_flight_ = 0;  // frames at the committer
  bool lost_ = false;
  bool told_ = false;      // the runtime knows that it is lost
  bool stopping_ = false;  // nothing is decided any more, or what follows from it would never end
  std::thread thread_;
};

}  // namespace stepwell
