#include "stepwell/runtime/runtime.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/compile/load.h"
#include "stepwell/runtime/record_body.h"
#include "stepwell/store/memory_store.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

constexpr const char* kSequence = R"(
output: {last: "{{ c.output }}"}
executor: {spec: {kinds: [work]}}
workflow:
  - {step: a, tool: {kind: work}, next: b}
  - {step: b, tool: {kind: work}, next: c}
  - {step: c, tool: {kind: work}}
)";

constexpr const char* kSleep = R"(
workflow:
  - {step: nap, type: wait, for: 50ms}
)";

// Answers every offer from a thread of its own, or keeps it.
class ThreadWorkers final : public Workers {
 public:
  void attach(Runtime& runtime) override { runtime_ = &runtime; }
  void offer(std::vector<Offer> offers) override {
    offered_ += offers.size();
    if (keep_) return;
    std::vector<Report> reports;
    reports.reserve(offers.size());
    for (Offer& offer : offers) {
      reports.push_back({.id = offer.id,
                         .outcome = {.waiting_token = offer.id.waiting_token,
                                     .outcome = Outcome::done,
                                     .output = EncodedValue(Value(static_cast<std::int64_t>(offer.attempt.step)))}});
    }
    threads_.emplace_back([this, reports = std::move(reports)]() mutable { runtime_->report(std::move(reports)); });
  }
  void cancel(std::vector<AttemptId> attempts) override { cancelled_ += attempts.size(); }

  void keep() { keep_ = true; }
  std::size_t offered() const { return offered_; }
  std::size_t cancelled() const { return cancelled_; }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  Runtime* runtime_ = nullptr;
  std::vector<std::thread> threads_;  // added to by lanes, one at a time in tests with one shard
  std::atomic<std::size_t> offered_ = 0;
  std::atomic<std::size_t> cancelled_ = 0;
  std::atomic<bool> keep_ = false;
};

class RuntimeTest : public testing::Test {
 protected:
  void SetUp() override { boot(); }
  void TearDown() override { halt(); }

  void boot() {
    auto opened = Runtime::open(*store_, *workers_, system_clock(), system_dice(),
                                {.ended = [this](const State& state) { note_end(state.execution); }});
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    runtime_ = std::move(*opened);
  }
  void halt() {
    if (runtime_ == nullptr) return;
    runtime_->stop();
    workers_->join();
    runtime_.reset();
  }
  void add(const std::string& name, const char* text) {
    Diagnostics diagnostics(name);
    auto document = load_playbook(text, name, diagnostics);
    ASSERT_TRUE(document.has_value()) << diagnostics.sorted().front().to_string();
    ASSERT_TRUE(runtime_->playbooks().add(std::move(*document), text, system_clock().now()).has_value());
  }
  Request start(const std::string& playbook, const std::string& id) {
    const PlaybookPtr found = *runtime_->playbooks().find(playbook, std::nullopt);
    return {.execution = id, .command = {Start{.execution = id, .version = found->version}}, .playbook = found};
  }
  // Asks until the execution has this status; the test runner's own bound is the only one on time.
  ExecutionRow wait_for(const std::string& id, const std::string& status) {
    for (;;) {
      EXPECT_TRUE(runtime_->catch_up().has_value());
      const auto row = *store_->find_execution(id);
      if (row && row->status == status) return *row;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void note_end(const std::string& execution) {
    const std::scoped_lock lock(mutex_);
    ended_.push_back(execution);
    if (endless_) runtime_->submit(start("nothing", fmt::format("n{}", ended_.size())));
  }
  std::vector<std::string> ended() {
    const std::scoped_lock lock(mutex_);
    return ended_;
  }

  std::mutex mutex_;
  std::vector<std::string> ended_;
  std::atomic<bool> endless_ = false;  // every end begins another
  std::unique_ptr<Store> store_ = open_memory_store();
  std::unique_ptr<ThreadWorkers> workers_ = std::make_unique<ThreadWorkers>();
  std::unique_ptr<Runtime> runtime_;
};

TEST_F(RuntimeTest, ASequenceRunsToItsEnd) {
  add("sequence", kSequence);
  EXPECT_EQ(runtime_->ask(start("sequence", "s1")).kind, Answer::Kind::accepted);
  const ExecutionRow row = wait_for("s1", "completed");
  EXPECT_EQ(row.playbook, "sequence");
  EXPECT_EQ(row.version, 4U);
  EXPECT_EQ(workers_->offered(), 3U);
}

TEST_F(RuntimeTest, TheSameStartAgainIsHarmlessAndAnotherIsRefused) {
  add("sequence", kSequence);
  add("sleep", kSleep);
  EXPECT_EQ(runtime_->ask(start("sequence", "s1")).kind, Answer::Kind::accepted);
  wait_for("s1", "completed");
  // By now it has left memory, and is looked for in the store.
  EXPECT_EQ(runtime_->ask(start("sequence", "s1")).refusal.code, RefusalCode::repeated);
  EXPECT_EQ(runtime_->ask(start("sleep", "s1")).refusal.code, RefusalCode::id_conflict);
}

TEST_F(RuntimeTest, ACommandForNobodyIsRefused) {
  const Answer answer = runtime_->ask({.execution = "nobody", .command = {Cancel{}}});
  EXPECT_EQ(answer.kind, Answer::Kind::refused);
  EXPECT_EQ(answer.refusal.code, RefusalCode::not_found);
}

TEST_F(RuntimeTest, TimersFire) {
  add("sleep", kSleep);
  EXPECT_EQ(runtime_->ask(start("sleep", "s1")).kind, Answer::Kind::accepted);
  wait_for("s1", "completed");
}

TEST_F(RuntimeTest, OpenAttemptsAreOfferedAgainAfterARestart) {
  workers_->keep();
  add("sequence", kSequence);
  runtime_->ask(start("sequence", "s1"));
  wait_for("s1", "running");
  halt();
  workers_ = std::make_unique<ThreadWorkers>();
  boot();
  wait_for("s1", "completed");
}

TEST_F(RuntimeTest, CancellationReachesTheWorker) {
  workers_->keep();
  add("sequence", kSequence);
  runtime_->ask(start("sequence", "s1"));
  wait_for("s1", "running");
  EXPECT_EQ(runtime_->ask({.execution = "s1", .command = {Cancel{"enough"}}}).kind, Answer::Kind::accepted);
  wait_for("s1", "cancelled");
  EXPECT_EQ(workers_->cancelled(), 1U);
}

TEST_F(RuntimeTest, AWatcherHearsEveryRecordOnceAndInOrder) {
  add("sequence", kSequence);
  std::mutex mutex;
  std::vector<std::uint64_t> versions;
  const std::uint64_t id = runtime_->watch("s1", [&](const Record& record, const RecordHash&) {
    const std::scoped_lock lock(mutex);
    versions.push_back(record.version);
  });
  runtime_->ask(start("sequence", "s1"));
  wait_for("s1", "completed");
  runtime_->unwatch("s1", id);
  const std::scoped_lock lock(mutex);
  EXPECT_EQ(versions, (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

TEST_F(RuntimeTest, AnEndIsToldOnceAndNotWhenItIsLookedForAgain) {
  add("sequence", kSequence);
  runtime_->ask(start("sequence", "s1"));
  wait_for("s1", "completed");
  EXPECT_EQ(ended(), std::vector<std::string>{"s1"});
  // Both bring it into memory again, where it stays for no longer than that.
  EXPECT_EQ(runtime_->ask(start("sequence", "s1")).refusal.code, RefusalCode::repeated);
  halt();
  boot();
  EXPECT_EQ(runtime_->ask(start("sequence", "s1")).refusal.code, RefusalCode::repeated);
  EXPECT_EQ(ended(), std::vector<std::string>{"s1"});
}

TEST_F(RuntimeTest, ItStopsAlthoughThereIsAlwaysMoreToDo) {
  add("nothing", "workflow:\n  - {step: only}\n");
  endless_ = true;
  runtime_->ask(start("nothing", "n0"));
  while (ended().size() < 10) std::this_thread::yield();
  halt();
  EXPECT_TRUE(store_->find_execution("n0")->has_value());
}

TEST_F(RuntimeTest, ManyAtOnceAllEnd) {
  add("sleep", kSleep);
  constexpr int kMany = 2'000;
  std::atomic<int> accepted = 0;
  for (int i = 0; i < kMany; ++i) {
    Request request = start("sleep", fmt::format("s{}", i));
    request.reply = [&](const Answer& answer) { accepted += answer.kind == Answer::Kind::accepted ? 1 : 0; };
    runtime_->submit(std::move(request));
  }
  for (int i = 0; i < kMany; ++i) wait_for(fmt::format("s{}", i), "completed");
  EXPECT_EQ(accepted, kMany);
}

}  // namespace
}  // namespace stepwell
