#include "stepwell/runtime/runtime.h"

#include <algorithm>
#include <future>

#include <fmt/format.h>

#include "stepwell/runtime/lane.h"
#include "stepwell/runtime/sharding.h"

namespace stepwell {

Runtime::Runtime(Store& store, Workers& workers, Clock& clock, Dice& dice, RuntimeOptions options)
    : store_(store), workers_(workers), clock_(clock), dice_(dice), options_(std::move(options)), playbooks_(store) {}

Stored<std::unique_ptr<Runtime>> Runtime::open(Store& store, Workers& workers, Clock& clock, Dice& dice,
                                               RuntimeOptions options) {
  const auto shards = store.fix_shards(options.shards == 0 ? options.new_shards : options.shards);
  if (!shards) return std::unexpected(shards.error());
  if (options.shards != 0 && options.shards != *shards) {
    return std::unexpected(
        StoreError{StoreError::Kind::invalid,
                   fmt::format("the store has {} shards, not {}: their number is fixed when a store is made", *shards,
                               options.shards)});
  }
  options.shards = *shards;
  std::unique_ptr<Runtime> runtime(new Runtime(store, workers, clock, dice, std::move(options)));
  if (auto loaded = runtime->playbooks_.load(); !loaded) return std::unexpected(loaded.error());
  runtime->keeper_ = std::make_unique<Keeper>(store);
  runtime->committer_ = std::make_unique<Committer>(store, [raw = runtime.get()](bool full) {
    raw->full_ = full;
    raw->problem(full ? "the disk is full: nothing is accepted until there is space" : "there is space again");
  });
  for (std::uint32_t i = 0; i < runtime->options_.shards; ++i) {
    runtime->lanes_.push_back(std::make_unique<Lane>(*runtime, i));
  }
  workers.attach(*runtime);
  // All are there before the first recovers, because recovering sends messages to others.
  for (auto& lane : runtime->lanes_) {
    if (auto recovered = lane->recover(); !recovered) return std::unexpected(recovered.error());
  }
  for (auto& lane : runtime->lanes_) lane->start();
  runtime->started_ = true;
  return runtime;
}

Runtime::~Runtime() {
  stop();
  // The keeper's last jobs come back to lanes, so they go after it.
  committer_.reset();
  keeper_.reset();
}

Lane& Runtime::lane_of(std::string_view execution) { return *lanes_[shard_of(execution, options_.shards)]; }

void Runtime::submit(Request request) { lane_of(request.execution).add(std::move(request), true); }

Answer Runtime::ask(Request request) {
  auto promise = std::make_shared<std::promise<Answer>>();
  request.reply = [promise](const Answer& answer) { promise->set_value(answer); };
  submit(std::move(request));
  return promise->get_future().get();
}

void Runtime::report(std::vector<Report> reports) {
  if (lanes_.size() == 1) return lanes_.front()->add(std::move(reports));
  std::vector<std::vector<Report>> by_lane(lanes_.size());
  for (Report& report : reports) {
    by_lane[shard_of(report.id.execution, options_.shards)].push_back(std::move(report));
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!by_lane[i].empty()) lanes_[i]->add(std::move(by_lane[i]));
  }
}

std::uint64_t Runtime::watch(const std::string& execution, Watcher watcher) {
  const std::uint64_t id = ++watchers_;
  lane_of(execution).call([execution, id, watcher = std::move(watcher)](Shard& shard) mutable {
    shard.watch(execution, id, std::move(watcher));
  });
  return id;
}

void Runtime::unwatch(const std::string& execution, std::uint64_t id) {
  lane_of(execution).call([execution, id](Shard& shard) { shard.unwatch(execution, id); });
}

Stored<> Runtime::on_all(const std::function<void(Shard&, std::function<void(const Stored<>&)>)>& ask) {
  std::vector<std::future<Stored<>>> answers;
  answers.reserve(lanes_.size());
  for (auto& lane : lanes_) {
    auto promise = std::make_shared<std::promise<Stored<>>>();
    answers.push_back(promise->get_future());
    const bool asked = lane->call([ask, promise](Shard& shard) {
      ask(shard, [promise](const Stored<>& result) { promise->set_value(result); });
    });
    if (!asked) promise->set_value(std::unexpected(StoreError{StoreError::Kind::failed, "the runtime has stopped"}));
  }
  Stored<> result;
  for (auto& answer : answers) {
    if (auto each = answer.get(); !each) result = each;
  }
  return result;
}

Stored<> Runtime::catch_up() {
  return on_all([](Shard& shard, auto done) { shard.catch_up(std::move(done)); });
}

Stored<> Runtime::checkpoint() {
  return on_all([](Shard& shard, auto done) { shard.checkpoint(std::move(done)); });
}

void Runtime::stop() {
  bool usable = started_ && !full_;
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(stopped_, true)) return;
    usable = usable && !failure_;
  }
  // A checkpoint is an accelerator: without it the next start reads more of the journal.
  if (usable) {
    if (auto written = checkpoint(); !written) problem(fmt::format("no checkpoint: {}", written.error().message));
  }
  if (committer_ != nullptr) committer_->give_up_on_space();
  for (auto& lane : lanes_) lane->stop();
}

std::optional<StoreError> Runtime::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

void Runtime::lost(const StoreError& why) {
  {
    const std::scoped_lock lock(mutex_);
    if (losing_) return;
    losing_ = why;
    lanes_lost_ = 0;
  }
  problem(fmt::format("what was decided last could not be stored: {}", why.message));
  for (auto& lane : lanes_) lane->drop_all();
}

void Runtime::lane_is_lost() {
  {
    const std::scoped_lock lock(mutex_);
    if (++lanes_lost_ < lanes_.size()) return;
    losing_.reset();
  }
  committer_->reset();
  for (auto& lane : lanes_) lane->recover_now();
}

void Runtime::give_up(const StoreError& why) {
  {
    const std::scoped_lock lock(mutex_);
    failure_ = why;
  }
  problem(fmt::format("the store cannot be used any more: {}", why.message));
}

}  // namespace stepwell
