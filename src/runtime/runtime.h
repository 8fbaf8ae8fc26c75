#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/runtime/committer.h"
#include "stepwell/runtime/keeper.h"
#include "stepwell/runtime/shard.h"
#include "stepwell/runtime/workers.h"

namespace stepwell {

struct RuntimeOptions {
  std::uint32_t shards = 0;      // that the store must have; 0: as many as it has
  std::uint32_t new_shards = 1;  // of a store that has none yet; they stay for its whole life
  std::size_t inbox = 10'000;    // requests that wait for a shard before submit() waits
  std::size_t frame_bytes = 1U << 20;
  ShardOptions shard = {};
  // Called when an execution has ended, durably, on the thread that runs it: it must be quick. Whoever must not miss an
  // end reads the store: one whose process died before it could tell is not told later.
  std::function<void(const State&)> ended = {};
  // Told in words when something is wrong that is not the answer to a request: a full disk, a failed append.
  std::function<void(std::string_view)> problem = {};
};

class Lane;

// Gives shards threads, time and a store:
//
//   submit ─► inbox ─► lane: shard decides ─► committer: one append for all ─► lane: answers, effects ─► workers
//                       │  ▲                                                                               │
//                       ▼  └──────────────────────────────── report ◄──────────────────────────────────────┘
//                     keeper: rows, snapshots, checkpoints, loading
//
// One lane is one thread and one shard. Everything public is safe for any thread but those that call back.
class Runtime {
 public:
  // Recovers every shard, asks the workers for all open work, and goes on from there. Borrows all it is given.
  static Stored<std::unique_ptr<Runtime>> open(Store& store, Workers& workers, Clock& clock, Dice& dice,
                                               RuntimeOptions options);
  ~Runtime();

  Playbooks& playbooks() { return playbooks_; }

  // Takes a request to its shard. Waits while too many are waiting there already.
  void submit(Request request);
  // The same, and waits for the answer.
  Answer ask(Request request);
  void report(std::vector<Report> reports);

  // Calls `watcher` with every record of an execution that becomes durable from now on, on the lane's thread. The
  // answer is what unwatch() takes.
  std::uint64_t watch(const std::string& execution, Watcher watcher);
  void unwatch(const std::string& execution, std::uint64_t id);

  // Lets the projections reach the last durable frame, so that what the store is asked next is not stale.
  Stored<> catch_up();
  Stored<> checkpoint();

  // Ends in order: what was decided is made durable, then a checkpoint is written. Attempts that are out stay open, and
  // are offered again by the next one who opens the store. Nothing is answered any more afterwards.
  void stop();
  // Why it has stopped by itself, if it has.
  std::optional<StoreError> failure() const;

 private:
  friend class Lane;
  Runtime(Store& store, Workers& workers, Clock& clock, Dice& dice, RuntimeOptions options);

  Lane& lane_of(std::string_view execution);
  Stored<> on_all(const std::function<void(Shard&, std::function<void(const Stored<>&)>)>& ask);
  // An append has failed: every lane drops what is not durable, then all are recovered.
  void lost(const StoreError& why);
  void lane_is_lost();
  void problem(std::string_view text) const {
    if (options_.problem) options_.problem(text);
  }
  void give_up(const StoreError& why);

  Store& store_;
  Workers& workers_;
  Clock& clock_;
  Dice& dice_;
  const RuntimeOptions options_;
  Playbooks playbooks_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<Committer> committer_;
  std::unique_ptr<Keeper> keeper_;
  std::atomic<std::uint64_t> watchers_ = 0;
  std::atomic<bool> full_ = false;
  bool started_ = false;

  mutable std::mutex mutex_;
  std::optional<StoreError> losing_;  // an append has failed, and not all lanes have recovered
  std::size_t lanes_lost_ = 0;
  std::optional<StoreError> failure_;
  bool stopped_ = false;
};

}  // namespace stepwell
