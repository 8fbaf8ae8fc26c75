#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "stepwell/base/few.h"
#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/clock.h"
#include "stepwell/runtime/instance.h"
#include "stepwell/runtime/residents.h"
#include "stepwell/runtime/surroundings.h"
#include "stepwell/store/store.h"

namespace stepwell {

struct ShardOptions {
  std::size_t max_resident = 100'000;                        // executions in memory, as far as they can leave it
  Duration evict_after = Duration::micros(60'000'000);       // untouched for that long, they leave it
  Duration poll = Duration::micros(1'000'000);               // how often the store is asked for timers
  Duration project_after = Duration::micros(1'000'000);      // how long a row may wait for others to be written with
  std::size_t project_rows = 4'000;                          // how many may wait: who asks waits until they are written
  std::uint64_t checkpoint_bytes = 16U << 20;                // of journal since the last one
  Duration checkpoint_after = Duration::micros(60'000'000);  // however little there is
};

// Is told of a record that has become durable.
using Watcher = std::function<void(const Record&, const RecordHash&)>;

// What a decision leads to once its frame is durable.
struct Held {
  Instance* instance = nullptr;  // none: nothing but an answer
  Few<Effect> effects = {};
  Reply reply = {};
  Answer answer = {};
};

// A frame that is to be made durable, and what waits for that.
struct Sealed {
  Frame frame = {};
  std::vector<Held> held = {};
};

// A checkpoint that is being made.
struct PendingCheckpoint {
  std::uint64_t through = 0;
  std::vector<std::string> left = {};  // executions whose snapshots are to be saved
  std::vector<std::function<void(const Stored<>&)>> done = {};
};

// The single-threaded owner of a part of the executions. It has no thread, clock or queue of its own: who runs it calls
// it, one call at a time, and makes its frames durable in order:
//
//   admit(request), tick() ──► open frame ──seal()──► append to the store ──► release(): answers, effects
//                                                          └── failed ──► lose(), then recover()
//
// It goes on deciding while sealed frames are on their way.
class Shard {
 public:
  // Borrows all it is given.
  Shard(std::uint32_t number, Playbooks& playbooks, Clock& clock, Dice& dice, Surroundings& around,
        const ShardOptions& options);

  // Takes the shard over: reads what is not in a checkpoint, loads what is awake, asks again for all open work. For the
  // start, and after lose(). Waits for the store.
  Stored<> recover(Store& store);

  // Decides a request, or loads its execution first.
  void admit(Request request);
  // Does what is due: timers, decisions that have yielded, rows, checkpoints, eviction.
  void tick();
  // When tick() is to be called next if nothing else happens; in the past: at once.
  Instant next_tick() const;

  // Bytes in the open frame; 0: there is nothing to seal.
  bool open_has_records() const { return !open_.frame.payload.empty(); }
  std::size_t open_bytes() const { return open_.frame.payload.size() + open_.held.size(); }
  Sealed seal();
  // The frames come back in the order in which they were sealed. One without records is durable at once.
  void release(Sealed sealed);
  // A frame was not made durable, or nobody knows: all that was decided since is void. Answers `unknown` for this frame
  // and the open one, and forgets everything; for further sealed frames it is called again.
  void lose(Sealed sealed);

  // Calls `watcher` with every record of an execution from now on, until unwatch.
  void watch(const std::string& execution, std::uint64_t id, Watcher watcher);
  void unwatch(const std::string& execution, std::uint64_t id);
  // Writes the rows of all that has become durable up to now, and then calls `done`.
  void catch_up(std::function<void(const Stored<>&)> done);
  // Begins a checkpoint, unless one is under way, and calls `done` when none is any more.
  void checkpoint(std::function<void(const Stored<>&)> done);

  std::size_t resident() const { return instances_.size(); }
  // A quarter more are in memory than there may be, and some of them are about to leave: who brings others waits.
  bool crowded() const { return evicting_ && resident() > options_.max_resident + options_.max_resident / 4; }

 private:
  struct Due {
    Instant at;
    std::string execution;
    friend bool operator>(const Due& a, const Due& b) { return a.at > b.at; }
  };
  // It may throw, as far as a table knows: so the table keeps the hash of each name instead of computing it again.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  // shard.cc: deciding
  Instance* find(std::string_view execution);
  void decide_on(Instance& instance, Request& request);
  void hold(Instance& instance, const Stamp& stamp, Request& request);
  void answer_later(Request& request, Answer answer);
  void start(Request& request);
  Stamp next_stamp();
  void set_wake(Instance& instance, std::optional<Instant> at);
  void row_may_differ(Instance& instance);
  bool rows_wait() const { return !rows_due_.empty() || !finished_.executions.empty() || !finished_.deleted.empty(); }

  // shard_release.cc: after durability
  void perform(Instance& instance, Effect effect);
  void offer(Instance& instance, OfferAttempt attempt);
  void load_blobs(Instance& instance, const LoadBlobs& load);
  void hand_over();
  void tell_watchers(const Frame& frame);
  void leave_if_over(Instance& instance);
  void forget(std::string_view execution);

  // shard_messages.cc: to other executions
  void deliver(Instance& instance, const DeliverMessage& message);
  void start_other(Instance& instance, const DeliverMessage& message);
  void confirm(std::string_view execution, MessageId message);
  void refuse_start(const std::string& from, const DeliverMessage& message, std::optional<WaitingToken> caller,
                    std::string_view why);

  // shard_load.cc: from the store
  void load(const std::string& execution);
  void loaded(const std::string& execution, Stored<std::unique_ptr<Instance>> found);
  Stored<> read_tail(Store& store);
  Stored<> load_awake(Store& store);
  Instance& add(const std::string& execution, std::unique_ptr<Instance> instance);
  void resume(Instance& instance);

  // shard_keep.cc: to the store
  void later(StoreJob job);
  void when_durable(Continuation action);
  void flush_rows(std::function<void(const Stored<>&)> done);
  void begin_checkpoint();
  void go_on_with_checkpoint();
  void end_checkpoint(const Stored<>& result);
  void evict();
  void drop_stale_timers();
  void poll_timers();
  void ask_for_timers(Instant until);
  void save(std::vector<SnapshotRow> snapshots, std::function<void(const Stored<>&)> done);
  void save_due_snapshots();

  const std::uint32_t number_;
  Playbooks& playbooks_;
  Clock& clock_;
  Dice& dice_;
  Surroundings& around_;
  const ShardOptions options_;

  std::uint64_t generation_ = 0;  // one more with every loss: what was asked before it comes back to nothing
  std::uint64_t epoch_ = 0;
  std::uint64_t next_seq_ = 1;
  std::uint64_t sealed_seq_ = 0;
  std::uint64_t durable_seq_ = 0;
  Instant last_time_ = {};

  std::unordered_map<std::string, std::unique_ptr<Instance>, Hash, std::equal_to<>> instances_;
  Residents residents_;  // the same, by when they were touched
  std::unordered_map<std::string, std::vector<Request>, Hash, std::equal_to<>> loading_;
  std::unordered_map<std::string, std::vector<std::pair<std::uint64_t, Watcher>>, Hash, std::equal_to<>> watchers_;

  Sealed open_;
  Decision decision_;  // the one that is being made; kept for its room, as is
  std::string body_;   // the body of its record
  std::deque<std::pair<std::uint64_t, Continuation>> on_durable_;  // by seq
  std::vector<Offer> offers_;                                      // to be handed over
  std::vector<AttemptId> cancels_;

  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::deque<std::string> yields_;
  std::vector<Instance*> rows_due_;         // with holes
  Projection finished_;                     // rows of executions that have left
  std::vector<std::string> snapshots_due_;  // executions with so many events that their playbook wants one
  Instant rows_since_ = {};
  Instant polled_at_ = {};
  bool polling_ = false;
  std::unordered_set<std::string> over_meanwhile_;  // executions that have left for good while it polls
  bool evicting_ = false;
  std::optional<PendingCheckpoint> checkpoint_;
  std::uint64_t checkpointed_seq_ = 0;
  std::uint64_t bytes_since_checkpoint_ = 0;
  Instant checkpointed_at_ = {};
};

}  // namespace stepwell
