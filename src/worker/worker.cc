#include "stepwell/worker/worker.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "stepwell/tools/tool_error.h"
#include "stepwell/worker/attempt.h"
#include "stepwell/worker/worker_threads.h"

namespace stepwell {
namespace {

using AttemptPtr = std::shared_ptr<Attempt>;
using BlockingTool = std::shared_ptr<Tool>;
using NetworkTool = std::shared_ptr<AsyncTool>;

// Tools of other people may throw.
TaskOutcome run_tool(Tool& tool, const ToolCall& call) {
  try {
    return tool.run(call);
  } catch (const std::exception& thrown) {
    return failed({.kind = "tool", .message = fmt::format("the tool '{}' threw: {}", call.kind, thrown.what())});
  }
}

}  // namespace

class Worker::Inside {
 public:
  Inside(WorkerPorts ports, WorkerOptions options)
      : ports_(std::move(ports)), capacity_(options.capacity), steppers_(1), blocking_(options.blocking_threads) {}
  ~Inside();

  void offer(std::vector<AttemptOffer> offers);
  void cancel(const AttemptKey& key);
  std::size_t capacity() const { return capacity_; }
  std::size_t held() const {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }

 private:
  // Goes on with an attempt as far as this thread can; `may_block` says whether a tool may keep it.
  void drive(const AttemptPtr& attempt, Attempt::Next next, bool may_block);
  void call_network(const AttemptPtr& attempt, const NetworkTool& tool, ToolCall call);
  void finish(const AttemptPtr& attempt, AttemptReport report);

  const WorkerPorts ports_;
  const std::size_t capacity_;

  mutable std::mutex mutex_;
  std::map<AttemptKey, AttemptPtr> held_;
  std::vector<AttemptReport> outgoing_;
  bool delivering_ = false;
  std::size_t network_calls_ = 0;
  std::condition_variable network_done_;

  WorkerThreads steppers_;
  WorkerThreads blocking_;
};

Worker::Inside::~Inside() {
  std::map<AttemptKey, AttemptPtr> left;
  {
    const std::lock_guard lock(mutex_);
    left.swap(held_);
  }
  for (const auto& [key, attempt] : left) attempt->stop();
  blocking_.close();
  steppers_.close();
  std::unique_lock lock(mutex_);
  network_done_.wait(lock, [this] { return network_calls_ == 0; });
}

void Worker::Inside::offer(std::vector<AttemptOffer> offers) {
  for (AttemptOffer& offer : offers) {
    auto attempt = std::make_shared<Attempt>(std::move(offer), ports_);
    {
      const std::lock_guard lock(mutex_);
      if (!held_.emplace(attempt->key(), attempt).second) continue;
    }
    const Toolbox::Entry* first = attempt->first_tool();
    const bool may_block = first != nullptr && std::holds_alternative<BlockingTool>(*first);
    (may_block ? blocking_ : steppers_).post([this, attempt, may_block] {
      if (!attempt->stopped()) drive(attempt, attempt->begin(), may_block);
    });
  }
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
    attempt = std::move(found->second);
    held_.erase(found);
  }
  attempt->stop();
}

void Worker::Inside::drive(const AttemptPtr& attempt, Attempt::Next next, bool may_block) {
  while (!attempt->stopped()) {
    if (auto* report = std::get_if<AttemptReport>(&next)) return finish(attempt, std::move(*report));
    auto& pending = std::get<Attempt::Pending>(next);
    if (const auto* tool = std::get_if<NetworkTool>(pending.tool)) {
      return call_network(attempt, *tool, std::move(pending.call));
    }
    if (!may_block) {
      blocking_.post([this, attempt, moved = std::move(next)]() mutable { drive(attempt, std::move(moved), true); });
      return;
    }
    next = attempt->settle(run_tool(*std::get<BlockingTool>(*pending.tool), pending.call));
  }
}

void Worker::Inside::call_network(const AttemptPtr& attempt, const NetworkTool& tool, ToolCall call) {
  {
    const std::lock_guard lock(mutex_);
    ++network_calls_;
  }
  tool->start(std::move(call), [this, attempt](TaskOutcome outcome) {
    steppers_.post([this, attempt, outcome = std::move(outcome)]() mutable {
      if (!attempt->stopped()) drive(attempt, attempt->settle(std::move(outcome)), false);
    });
    const std::lock_guard lock(mutex_);
    --network_calls_;
    network_done_.notify_all();
  });
}

// One thread delivers, and takes along what others finish while it does.
void Worker::Inside::finish(const AttemptPtr& attempt, AttemptReport report) {
  std::unique_lock lock(mutex_);
  if (held_.erase(attempt->key()) == 0) return;
  outgoing_.push_back(std::move(report));
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
