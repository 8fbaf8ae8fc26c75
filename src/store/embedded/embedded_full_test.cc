#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "stepwell/store/embedded/embedded_store.h"
#include "stepwell/store/testing/temporary_directory.h"

namespace stepwell {
namespace {

using Kind = StoreError::Kind;

// A store that is written until there is no space, and then goes on.
class EmbeddedFullTest : public testing::Test {
 protected:
  void open(const std::string& path) {
    auto opened = open_embedded_store(
        path, {.journal = {.segments = {.segment_bytes = 256u << 10, .first_segment_bytes = 128u << 10}}});
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
    const Takeover taken = store_->take_over(0).value();
    epoch_ = taken.epoch;
    next_seq_ = taken.next_seq;
  }

  Frame next_frame() {
    Frame frame{.epoch = epoch_, .first_seq = next_seq_, .last_seq = next_seq_};
    chain_ = append_record(
        frame.payload, {.instance = "a", .version = next_seq_++, .previous = chain_, .body = std::string(20'000, 'x')});
    return frame;
  }

  // Appends until it fails, and answers the frame that did.
  Frame fill() {
    for (int i = 0; i < 10'000; ++i) {
      Frame frame = next_frame();
      const auto done = store_->append({&frame, 1});
      if (done) continue;
      EXPECT_EQ(done.error().kind, Kind::full) << done.error().message;
      return frame;
    }
    ADD_FAILURE() << "there is no end of space";
    return {};
  }

  std::uint64_t records() {
    std::uint64_t count = 0;
    EXPECT_TRUE(store_->read_records("a", 0, [&](const Record&, const RecordHash&) { ++count; }).has_value());
    return count;
  }

  void check_that_it_goes_on(const Frame& refused, const std::string& path) {
    EXPECT_EQ(records(), refused.first_seq - 1);
    ASSERT_TRUE(store_->append({&refused, 1}).has_value());
    const Frame another = next_frame();
    ASSERT_TRUE(store_->append({&another, 1}).has_value());
    store_.reset();
    open(path);
    EXPECT_EQ(records(), another.last_seq);
    EXPECT_TRUE(store_->verify()->empty());
  }

  std::unique_ptr<Store> store_;
  std::uint64_t epoch_ = 0;
  std::uint64_t next_seq_ = 1;
  RecordHash chain_ = {};
  TemporaryDirectory directory_;
};

TEST_F(EmbeddedFullTest, WhenTheDiskIsFullAppendsWaitForSpaceAndNothingIsLost) {
  const std::string disk = directory_.path() + "/disk";
  std::filesystem::create_directory(disk);
  if (mount("none", disk.c_str(), "tmpfs", 0, "size=3m") != 0) {
    GTEST_SKIP() << "only root can mount a small disk; the test with a limit of files runs everywhere";
  }
  open(disk + "/store");
  std::ofstream(disk + "/filler") << std::string(1u << 20, 'f');
  const Frame refused = fill();
  EXPECT_EQ(store_->append({&refused, 1}).error().kind, Kind::full) << "still";
  std::string rows(100'000, 'r');
  const auto projected = store_->project({.executions = {{.id = "e", .error = rows}}});
  EXPECT_TRUE(projected || projected.error().kind == Kind::full) << projected.error().message;
  std::filesystem::remove(disk + "/filler");
  check_that_it_goes_on(refused, disk + "/store");
  store_.reset();
  EXPECT_EQ(umount(disk.c_str()), 0);
}

TEST_F(EmbeddedFullTest, WhenFilesMayNotGrowAppendsWaitAndNothingIsLost) {
  open(directory_.path() + "/store");
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 200u << 10, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Frame refused = fill();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  check_that_it_goes_on(refused, directory_.path() + "/store");
}

}  // namespace
}  // namespace stepwell
