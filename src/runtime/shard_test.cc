#include "stepwell/runtime/shard.h"

#include <deque>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/compile/load.h"
#include "stepwell/store/memory_store.h"

namespace stepwell {
namespace {

constexpr const char* kTask = "executor: {spec: {kinds: [work]}}\nworkflow: [{step: a, tool: {kind: work}}]\n";

constexpr const char* kNap = "workflow:\n  - {step: nap, type: wait, for: 1d}\n";

// More than a checkpoint takes snapshots of at once.
constexpr int kMany = 1'200;

// Stands still until it is moved.
class StillClock final : public Clock {
 public:
  Instant now() const override { return now_; }
  void advance(std::string_view duration) { now_ = *checked_add(now_, *Duration::parse(duration)); }

 private:
  Instant now_ = system_clock().now();
};

// A shard whose every move is the test's. What it asks of the store waits until it is let.
class ShardTest : public testing::Test, public Surroundings {
 protected:
  void SetUp() override {
    boot();
    add_playbook("task", kTask);
  }
  void add_playbook(const std::string& name, const std::string& text) {
    Diagnostics diagnostics("");
    auto document = load_playbook(text, name, diagnostics);
    ASSERT_TRUE(document.has_value());
    ASSERT_TRUE(playbooks_->add(std::move(*document), "", system_clock().now()).has_value());
  }

  // Nothing but the store is left of what was there before.
  void boot() {
    jobs_.clear();
    offers_.clear();
    playbooks_ = std::make_unique<Playbooks>(*store_);
    ASSERT_TRUE(playbooks_->load().has_value());
    shard_ = std::make_unique<Shard>(0, *playbooks_, clock_, system_dice(), *this, options_);
    const Stored<> recovered = shard_->recover(*store_);
    ASSERT_TRUE(recovered.has_value()) << recovered.error().message;
  }

  void commit() {
    while (shard_->open_bytes() != 0) {
      Sealed sealed = shard_->seal();
      if (!sealed.frame.payload.empty()) {
        ASSERT_TRUE(store_->append({&sealed.frame, 1}).has_value());
      }
      shard_->release(std::move(sealed));
    }
  }
  void do_one_job() {
    StoreJob job = std::move(jobs_.front());
    jobs_.pop_front();
    job (*store_)();
  }
  // How many there were.
  int do_all_jobs() {
    int done = 0;
    for (; !jobs_.empty(); ++done) do_one_job();
    return done;
  }

  void start(const std::string& execution, std::string_view playbook = "task") {
    shard_->admit({.execution = execution,
                   .command = {Start{.execution = execution, .version = 1, .workload = Value::map({})}},
                   .playbook = *playbooks_->find(playbook, 1),
                   .fresh = true});
  }
  void answer_all_offers() {
    for (const Offer& offer : std::exchange(offers_, {})) {
      shard_->admit({.execution = offer.id.execution,
                     .command = {ReportAttempt{.waiting_token = offer.id.waiting_token}},
                     .epoch = offer.id.epoch});
    }
  }
  // The version of the snapshot in the store; 0: there is none.
  std::uint64_t saved(const std::string& execution) {
    shard_->tick();
    do_all_jobs();
    const auto snapshot = store_->find_snapshot(execution);
    return snapshot && *snapshot ? (*snapshot)->version : 0;
  }
  std::string status(const std::string& execution) {
    shard_->catch_up([](const Stored<>&) {});
    do_all_jobs();
    const auto row = store_->find_execution(execution);
    return row && *row ? (*row)->status : "none";
  }

  void offer(std::vector<Offer> offers) override {
    for (Offer& each : offers) offers_.push_back(std::move(each));
  }
  void cancel(std::vector<AttemptId>) override {}
  void ended(const State&) override {}
  void send(Request) override {}
  void run(StoreJob job) override { jobs_.push_back(std::move(job)); }

  StillClock clock_;
  ShardOptions options_;
  std::unique_ptr<Store> store_ = open_memory_store();
  std::unique_ptr<Playbooks> playbooks_;
  std::unique_ptr<Shard> shard_;
  std::deque<StoreJob> jobs_;
  std::vector<Offer> offers_;
};

// Those that end while it is made leave without a snapshot, with their beginning in the history and their end in the
// journal.
TEST_F(ShardTest, ExecutionsMayEndWhileACheckpointIsMade) {
  for (int i = 0; i < kMany; ++i) start(fmt::format("e{}", i));
  commit();
  bool made = false;
  shard_->checkpoint([&](const Stored<>& result) { made = result.has_value(); });
  do_one_job();
  answer_all_offers();
  commit();
  do_all_jobs();
  ASSERT_TRUE(made);
  boot();
  EXPECT_TRUE(offers_.empty());
  for (int i = 0; i < kMany; ++i) ASSERT_EQ(status(fmt::format("e{}", i)), "completed") << i;
}

TEST_F(ShardTest, ASnapshotIsTakenAfterAsManyEventsAsThePlaybookSays) {
  add_playbook("often",
               "executor: {spec: {kinds: [work], snapshot: {every_events: 6}}}\n"
               "workflow: [{step: a, tool: {kind: work}, next: b}, {step: b, tool: {kind: work}, next: c},\n"
               "           {step: c, tool: {kind: work}, next: d}, {step: d, tool: {kind: work}}]\n");
  start("e1", "often");
  start("e2", "task");
  commit();
  EXPECT_EQ(saved("e1"), 0u);
  answer_all_offers();
  commit();
  EXPECT_EQ(saved("e1"), 2u) << "three events of the start and four of the step";
  EXPECT_EQ(saved("e2"), 0u);
  answer_all_offers();
  commit();
  EXPECT_EQ(saved("e1"), 2u);
  boot();
  answer_all_offers();
  commit();
  EXPECT_EQ(saved("e1"), 4u) << "those of the process before count as well";
}

// Many decisions may come between two ticks, as when a large fan-out opens.
TEST_F(ShardTest, OneSnapshotIsTakenForAllThatCameBeforeIt) {
  Instance instance;
  instance.playbook = *playbooks_->find("task", 1);
  instance.events = instance.playbook->definition.policy.snapshot_every_events;
  EXPECT_TRUE(wants_snapshot(instance));
  instance.snapshot_due = true;
  EXPECT_FALSE(wants_snapshot(instance));
}

TEST_F(ShardTest, ASnapshotIsNotTakenMoreOftenThanItIsWorth) {
  add_playbook("large",
               "executor: {spec: {kinds: [work], snapshot: {every_events: 1}}}\n"
               "workload: {text: " +
                   std::string(10'000, 'x') +
                   "}\n"
                   "workflow: [{step: a, tool: {kind: work}, next: b}, {step: b, tool: {kind: work}}]\n");
  start("e1", "large");
  commit();
  EXPECT_EQ(saved("e1"), 1u);
  answer_all_offers();
  commit();
  EXPECT_EQ(saved("e1"), 1u) << "ten thousand bytes for a step of fifty";
}

// Those that sleep leave when there are too many, and until they have, nobody should bring more.
TEST_F(ShardTest, TheMemoryIsForThoseThatAreAwake) {
  add_playbook("nap", kNap);
  options_.max_resident = 100;
  boot();
  for (int i = 0; i < kMany; ++i) start(fmt::format("n{}", i), "nap");
  start("e1");
  commit();
  EXPECT_FALSE(shard_->crowded());
  shard_->tick();
  EXPECT_TRUE(shard_->crowded());
  EXPECT_EQ(shard_->resident(), kMany + 1U);
  do_all_jobs();
  EXPECT_FALSE(shard_->crowded());
  EXPECT_EQ(shard_->resident(), 100U);
  answer_all_offers();
  commit();
  EXPECT_EQ(status("e1"), "completed");
  EXPECT_EQ(status("n0"), "waiting");
}

// One that has ended has left memory, while its row may still say that it sleeps.
TEST_F(ShardTest, AnExecutionThatHasEndedIsNotLoadedForItsTimer) {
  add_playbook("short", "workflow:\n  - {step: nap, type: wait, for: 30s}\n");
  start("n1", "short");
  commit();
  ASSERT_EQ(status("n1"), "waiting");
  clock_.advance("30s");
  shard_->tick();
  commit();
  EXPECT_EQ(shard_->resident(), 0U);
  EXPECT_EQ(do_all_jobs(), 2) << "its row, then the question for timers";
  EXPECT_EQ(status("n1"), "completed");
}

TEST_F(ShardTest, OneThatEndsWhileTheStoreLooksForTimersIsNotLoadedAgain) {
  add_playbook("short", "workflow:\n  - {step: nap, type: wait, for: 30s}\n");
  start("n1", "short");
  commit();
  ASSERT_EQ(status("n1"), "waiting");
  clock_.advance("29s");
  shard_->tick();
  ASSERT_EQ(jobs_.size(), 1U);
  Continuation found = jobs_.front()(*store_);
  jobs_.clear();
  clock_.advance("1s");
  shard_->tick();
  commit();
  ASSERT_EQ(shard_->resident(), 0U);
  ASSERT_TRUE(jobs_.empty());
  found();
  EXPECT_TRUE(jobs_.empty()) << "it would be loaded";
}

// One that is deleted after it has left, before and after the store knows.
TEST_F(ShardTest, WhatIsDeletedStaysDeleted) {
  for (const bool known : {false, true}) {
    SCOPED_TRACE(known ? "the store knows" : "the store does not know");
    start("e1");
    commit();
    answer_all_offers();
    commit();
    shard_->checkpoint([](const Stored<>&) {});
    do_all_jobs();
    shard_->admit({.execution = "e1", .command = {Delete{}}});
    do_all_jobs();
    commit();
    if (known) {
      EXPECT_EQ(status("e1"), "none");
    }
    boot();
    EXPECT_EQ(status("e1"), "none");
  }
}

}  // namespace
}  // namespace stepwell
