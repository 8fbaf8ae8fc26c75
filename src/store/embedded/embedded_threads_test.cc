#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "stepwell/store/embedded/embedded_store.h"
#include "stepwell/store/testing/temporary_directory.h"

namespace stepwell {
namespace {

constexpr std::uint64_t kThreadInstances = 5;
constexpr std::uint64_t kFrames = 150;

std::string instance(std::uint64_t number) { return "i" + std::to_string(number % kThreadInstances); }

// A store that one thread appends to while others read it, move its records into history, project, copy and check it.
class EmbeddedThreadsTest : public testing::Test {
 protected:
  EmbeddedThreadsTest()
      : store_(
            open_embedded_store(
                path("store"),
                {.journal = {.segments = {.segment_bytes = 32u << 10, .first_segment_bytes = 16u << 10, .spares = 2}}})
                .value()) {}

  std::string path(const std::string& name) const { return directory_.path() + "/" + name; }

  // Each frame has the next record of every instance.
  void append_all() {
    const Takeover taken = store_->take_over(0).value();
    std::vector<RecordHash> hashes(kThreadInstances);
    for (std::uint64_t version = 1; version <= kFrames; ++version) {
      Frame frame{.epoch = taken.epoch, .first_seq = durable_ + 1, .last_seq = durable_ + kThreadInstances};
      for (std::uint64_t i = 0; i < kThreadInstances; ++i) {
        hashes[i] = append_record(
            frame.payload,
            {.instance = instance(i), .version = version, .previous = hashes[i], .body = std::string(200, 'b')});
      }
      ASSERT_TRUE(store_->append({&frame, 1}).has_value());
      durable_ = frame.last_seq;
    }
    done_ = true;
  }

  // Every record that was durable before is found, once, and in order.
  void read_once(std::uint64_t number) {
    const std::uint64_t at_least = durable_ / kThreadInstances;
    std::uint64_t version = 0;
    const auto read = store_->read_records(
        instance(number), 0, [&](const Record& record, const RecordHash&) { EXPECT_EQ(record.version, ++version); });
    EXPECT_TRUE(read.has_value()) << read.error().message;
    EXPECT_GE(version, at_least);
  }

  // Until everything is appended, and once more.
  template <typename Work>
  std::thread meanwhile(Work work) {
    return std::thread([this, work] {
      for (std::uint64_t round = 0;; ++round) {
        const bool last = done_;
        work(round);
        if (last) return;
      }
    });
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Store> store_;
  std::atomic<std::uint64_t> durable_ = 0;
  std::atomic<bool> done_ = false;
};

TEST_F(EmbeddedThreadsTest, WhileItIsAppendedToEverythingElseGoesOn) {
  std::vector<std::thread> threads;
  threads.push_back(meanwhile([this](std::uint64_t round) { read_once(round); }));
  threads.push_back(meanwhile([this](std::uint64_t) {
    const std::uint64_t through = durable_;
    const auto done = store_->checkpoint({.through = {.seq = through}});
    EXPECT_TRUE(done.has_value()) << done.error().message;
    std::this_thread::yield();
  }));
  threads.push_back(meanwhile([this](std::uint64_t round) {
    const std::string id = "e" + std::to_string(round % 20);
    const auto done =
        store_->project({.executions = {{.id = id, .version = round}}, .positions = {{.seq = durable_.load()}}});
    EXPECT_TRUE(done.has_value()) << done.error().message;
    EXPECT_TRUE(store_->find_execution(id)->has_value());
  }));
  threads.push_back(meanwhile([this](std::uint64_t round) {
    const std::uint64_t before = durable_;
    const auto done = store_->backup(path("copy" + std::to_string(round)));
    ASSERT_TRUE(done.has_value()) << done.error().message;
    const auto copy = open_embedded_store(path("copy" + std::to_string(round)));
    ASSERT_TRUE(copy.has_value()) << copy.error().message;
    EXPECT_TRUE((*copy)->verify()->empty());
    EXPECT_GT((*copy)->take_over(0)->next_seq, before);
    EXPECT_TRUE(store_->verify()->empty());
  }));
  append_all();
  for (std::thread& thread : threads) thread.join();
  for (std::uint64_t i = 0; i < kThreadInstances; ++i) read_once(i);
}

}  // namespace
}  // namespace stepwell
