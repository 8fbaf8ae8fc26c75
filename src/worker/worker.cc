#include "stepwell/worker/worker.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "stepwell/tools/tool_error.h"
#include "stepwell/worker/attempt.h"
#include "stepwell/worker/worker_threads.h"

namespace stepwell {
namespace {

using BlockingTool = std::shared_ptr<Tool>;
using NetworkTool = std::shared_ptr<AsyncTool>;

// Attempts that the stepper takes at once, and reports that leave together for it. More would let those who wait for
// reports wait longer without saving much.
constexpr std::size_t kTurn = 64;

// The attempt whose tool this thread is starting. What answers from inside start() is settled there.
thread_local const Attempt* starting = nullptr;

// Tools of other people may throw.
TaskOutcome run_tool(Tool& tool, const ToolCall& call) {
  try {
    return tool.run(call);
  } catch (const std::exception& thrown) {
    return failed({.kind = "tool", .message = fmt::format("the tool '{}' threw: {}", call.kind, thrown.what())});
  }
}

// Attempts by their keys.
struct HashOfKey {
  using is_transparent = void;
  std::size_t operator()(const AttemptKey& key) const {
    return std::hash<std::string_view>()(key.execution) + key.run * 31 + key.attempt * 7 + key.offer;
  }
  std::size_t operator()(const AttemptPtr& attempt) const { return (*this)(attempt->key()); }
};
struct SameKey {
  using is_transparent = void;
  bool operator()(const AttemptPtr& a, const AttemptPtr& b) const { return a->key() == b->key(); }
  bool operator()(const AttemptPtr& a, const AttemptKey& b) const { return a->key() == b; }
  bool operator()(const AttemptKey& a, const AttemptPtr& b) const { return a == b->key(); }
};

}  // namespace

class Worker::Inside {
 public:
  Inside(WorkerPorts ports, WorkerOptions options)
      : ports_(std::move(ports)),
        capacity_(options.capacity),
        steppers_({.threads = 1, .turn = kTurn}, [this](std::span<AttemptPtr> turn) { run(turn, false); }),
        blocking_({.threads = options.blocking_threads}, [this](std::span<AttemptPtr> turn) { run(turn, true); }) {}
  ~Inside();

  void offer(std::vector<AttemptOffer> offers);
  void cancel(const AttemptKey& key);
  std::size_t capacity() const { return capacity_; }
  std::size_t held() const {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }

 private:
  using Held = std::unordered_set<AttemptPtr, HashOfKey, SameKey>;

  void run(std::span<AttemptPtr> turn, bool may_block);
  // Goes on with an attempt as far as this thread can; `may_block` says whether a tool may keep it. True if it ended.
  bool drive(const AttemptPtr& attempt, bool may_block);
  // True if it has answered already.
  bool call_network(const AttemptPtr& attempt, AsyncTool& tool, ToolCall call);
  void finish(std::span<const AttemptPtr> ended);

  const WorkerPorts ports_;
  const std::size_t capacity_;

  mutable std::mutex mutex_;
  Held held_;
  std::vector<AttemptReport> outgoing_;
  bool delivering_ = false;
  std::size_t network_calls_ = 0;
  std::condition_variable network_done_;

  WorkerThreads steppers_;
  WorkerThreads blocking_;
};

Worker::Inside::~Inside() {
  Held left;
  {
    const std::lock_guard lock(mutex_);
    left.swap(held_);
  }
  for (const AttemptPtr& attempt : left) attempt->stop();
  blocking_.close();
  steppers_.close();
  std::unique_lock lock(mutex_);
  network_done_.wait(lock, [this] { return network_calls_ == 0; });
}

void Worker::Inside::offer(std::vector<AttemptOffer> offers) {
  std::vector<AttemptPtr> steppers;
  std::vector<AttemptPtr> blocking;
  steppers.reserve(offers.size());
  for (AttemptOffer& offer : offers) {
    auto attempt = std::make_shared<Attempt>(std::move(offer), ports_);
    const Toolbox::Entry* first = attempt->first_tool();
    const bool may_block = first != nullptr && std::holds_alternative<BlockingTool>(*first);
    (may_block ? blocking : steppers).push_back(std::move(attempt));
  }
  {
    const std::lock_guard lock(mutex_);
    const auto held_already = [&](const AttemptPtr& attempt) { return !held_.insert(attempt).second; };
    std::erase_if(steppers, held_already);
    std::erase_if(blocking, held_already);
  }
  steppers_.post(steppers);
  blocking_.post(blocking);
}

void Worker::Inside::cancel(const AttemptKey& key) {
  AttemptPtr attempt;
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(key);
    if (found == held_.end()) {
      std::erase_if(outgoing_, [&](const AttemptReport& report) { return report.key == key; });
      return;
    }
    attempt = *found;
    held_.erase(found);
  }
  attempt->stop();
}

void Worker::Inside::run(std::span<AttemptPtr> turn, bool may_block) {
  std::vector<AttemptPtr> ended;
  ended.reserve(turn.size());
  for (AttemptPtr& attempt : turn) {
    if (drive(attempt, may_block)) ended.push_back(std::move(attempt));
  }
  if (!ended.empty()) finish(ended);
}

bool Worker::Inside::drive(const AttemptPtr& attempt, bool may_block) {
  if (attempt->stopped()) return false;
  attempt->go_on();
  while (Attempt::Pending* pending = attempt->pending()) {
    if (const auto* tool = std::get_if<NetworkTool>(pending->tool)) {
      if (!call_network(attempt, **tool, std::move(pending->call))) return false;
    } else if (may_block) {
      attempt->answer(run_tool(*std::get<BlockingTool>(*pending->tool), pending->call));
    } else {
      AttemptPtr moved = attempt;
      blocking_.post({&moved, 1});
      return false;
    }
    if (attempt->stopped()) return false;
    attempt->go_on();
  }
  return true;
}

bool Worker::Inside::call_network(const AttemptPtr& attempt, AsyncTool& tool, ToolCall call) {
  {
    const std::lock_guard lock(mutex_);
    ++network_calls_;
  }
  bool answered = false;
  starting = attempt.get();
  tool.start(std::move(call), [this, attempt, &answered](TaskOutcome outcome) {
    attempt->answer(std::move(outcome));
    if (starting == attempt.get()) {
      answered = true;
    } else {
      AttemptPtr moved = attempt;
      steppers_.post({&moved, 1});
    }
    const std::lock_guard lock(mutex_);
    --network_calls_;
    network_done_.notify_all();
  });
  starting = nullptr;
  return answered;
}

// One thread delivers, and takes along what others finish while it does.
void Worker::Inside::finish(std::span<const AttemptPtr> ended) {
  std::unique_lock lock(mutex_);
  for (const AttemptPtr& attempt : ended) {
    if (held_.erase(attempt) != 0) outgoing_.push_back(attempt->take_report());
  }
  if (delivering_) return;
  delivering_ = true;
  while (!outgoing_.empty()) {
    std::vector<AttemptReport> batch = std::exchange(outgoing_, {});
    lock.unlock();
    ports_.report(std::move(batch));
    lock.lock();
  }
  delivering_ = false;
}

Worker::Worker(WorkerPorts ports, WorkerOptions options)
    : inside_(std::make_unique<Inside>(std::move(ports), options)) {}
Worker::~Worker() = default;
void Worker::offer(std::vector<AttemptOffer> offers) { inside_->offer(std::move(offers)); }
void Worker::cancel(const AttemptKey& key) { inside_->cancel(key); }
std::size_t Worker::capacity() const { return inside_->capacity(); }
std::size_t Worker::held() const { return inside_->held(); }

}  // namespace stepwell
