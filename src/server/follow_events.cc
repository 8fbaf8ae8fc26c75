#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "stepwell/server/execution_value.h"
#include "stepwell/server/local_methods.h"
#include "stepwell/server/params.h"
#include "stepwell/server/playback.h"

namespace stepwell {

namespace {

// How many records may wait for a follower. One that is slower reads them from the store again: it never slows the
// runtime.
constexpr std::size_t kMostWaiting = 4'096;
constexpr auto kWake = std::chrono::milliseconds(100);
// How long nothing must have happened before it is worth looking whether anything can.
constexpr auto kRest = std::chrono::milliseconds(20);
constexpr std::size_t kMostWaits = 100;

// Records on their way from the thread of a lane to that of a follower.
class Arrivals {
 public:
  struct Arrival {
    std::uint64_t version = 0;
    RecordHash previous = {};
    RecordHash hash = {};
    std::string body = {};
  };

  void add(const Record& record, const RecordHash& hash) {
    const std::scoped_lock lock(mutex_);
    if (arrivals_.size() >= kMostWaiting) {
      arrivals_.clear();
      gap_ = true;
    }
    arrivals_.push_back({record.version, record.previous, hash, std::string(record.body)});
    changed_.notify_one();
  }

  struct Taken {
    std::deque<Arrival> arrivals = {};
    bool gap = false;  // some before them are missing
  };
  Taken wait(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, at_most, [&] { return !arrivals_.empty(); });
    return {std::exchange(arrivals_, {}), std::exchange(gap_, false)};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Arrival> arrivals_;
  bool gap_ = false;
};

class EventFollower {
 public:
  struct Wanted {
    std::int64_t after = 0;
    bool rests = false;
  };

  EventFollower(const Backing& backing, const std::string& execution, Wanted wanted, const Hear& hear)
      : backing_(backing), playback_(backing.runtime.playbooks(), execution), wanted_(wanted), hear_(hear) {
    // The watcher may still be called for a moment after this object has gone.
    watch_ = backing_.runtime.watch(execution, [arrivals = arrivals_](const Record& record, const RecordHash& hash) {
      arrivals->add(record, hash);
    });
  }
  ~EventFollower() { backing_.runtime.unwatch(playback_.execution(), watch_); }
  EventFollower(const EventFollower&) = delete;
  EventFollower& operator=(const EventFollower&) = delete;

  Answered<> run(const std::atomic<bool>& stopped) {
    // The shard comes to this after the watch, so whatever is not heard from there is in the store by then.
    if (auto current = backing_.runtime.catch_up(); !current) return std::unexpected(problem_of(current.error()));
    if (auto read = read_store(); !read) return std::unexpected(problem_of(read.error()));
    while (go_on_ && !playback_.has_ended()) {
      if (stopped) return last_words();
      if (const auto failure = backing_.runtime.failure()) return std::unexpected(problem_of(*failure));
      Arrivals::Taken taken = arrivals_->wait(rested_ ? kWake : kRest);
      if (taken.arrivals.empty()) {
        if (auto told = rest(); !told) return std::unexpected(told.error());
      } else if (auto heard = take(taken); !heard) {
        return std::unexpected(problem_of(heard.error()));
      }
    }
    return result();
  }

 private:
  // Who holds the store ends, perhaps because this execution has: what is durable is told before.
  Answered<> last_words() {
    if (auto read = read_store(); !read) return std::unexpected(problem_of(read.error()));
    if (playback_.has_ended()) return result();
    return std::unexpected(Problem{"stopped", "who held the store has stopped"});
  }

  Value result() const {
    return Value::map({{"ended", playback_.has_ended()}, {"version", static_cast<std::int64_t>(playback_.version())}});
  }

  Playback::HearEvent hear_event() {
    return [this](const Value& event) {
      rested_ = false;
      if (go_on_ && event.find("seq")->as_int() > wanted_.after) go_on_ = hear_(event);
    };
  }

  Stored<> read_store() { return playback_.read(backing_.store, hear_event()); }

  Stored<> take(const Arrivals::Taken& taken) {
    if (taken.gap || taken.arrivals.front().version > playback_.version() + 1) return read_store();
    for (const Arrivals::Arrival& arrival : taken.arrivals) {
      const Record record{.instance = playback_.execution(),
                          .version = arrival.version,
                          .previous = arrival.previous,
                          .body = arrival.body};
      if (auto done = playback_.take(record, arrival.hash, hear_event()); !done) {
        return std::unexpected(StoreError{StoreError::Kind::corrupt, done.error()});
      }
    }
    return {};
  }

  // Nothing has happened for a moment. Those that it has called may have come to rest since the last time.
  Answered<void> rest() {
    const State& state = playback_.instance().state;
    const bool look = wanted_.rests && (!rested_ || !called_executions(state).empty());
    rested_ = true;
    go_on_ = go_on_ && hear_(Value());
    if (!look || !go_on_) return {};
    const auto moves = can_move(backing_, state);
    if (!moves) return std::unexpected(moves.error());
    const Value tokens = tokens_value(playback_.instance());
    std::vector<Value> waits(
        tokens.as_list().begin(),
        tokens.as_list().begin() + static_cast<std::ptrdiff_t>(std::min(tokens.as_list().size(), kMostWaits)));
    go_on_ = hear_(Value::map({{"rest", Value::map({{"status", row_of(playback_.instance(), 0).status},
                                                    {"moves", *moves},
                                                    {"tokens", Value::list(std::move(waits))}})}}));
    return {};
  }

  const Backing& backing_;
  Playback playback_;
  const Wanted wanted_;
  const Hear& hear_;
  std::shared_ptr<Arrivals> arrivals_ = std::make_shared<Arrivals>();
  std::uint64_t watch_ = 0;
  bool go_on_ = true;
  bool rested_ = false;
};

}  // namespace

Answered<> follow_events(const Backing& backing, const Value& params, const Hear& hear,
                         const std::atomic<bool>& stopped) {
  Params read(params);
  const std::string text = read.text("execution");
  const auto after = static_cast<std::int64_t>(read.maybe_number("after").value_or(0));
  const bool rests = read.flag("rests");
  if (read.problem()) return std::unexpected(*read.problem());
  const auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(execution.error());
  EventFollower follower(backing, *execution, {.after = after, .rests = rests}, hear);
  return follower.run(stopped);
}

}  // namespace stepwell
