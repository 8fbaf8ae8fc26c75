#include "stepwell/store/embedded/verify.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/base/hex.h"
#include "stepwell/store/embedded/database.h"
#include "stepwell/store/embedded/embedded_store.h"
#include "stepwell/store/testing/temporary_directory.h"

namespace stepwell {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A store with a little of everything, which is then damaged behind its back.
class VerifyTest : public testing::Test {
 protected:
  void SetUp() override {
    open();
    const Takeover taken = store_->take_over(0).value();
    RecordHash hash = {};
    for (std::uint64_t seq = 1; seq <= 6; ++seq) {
      Frame frame{.epoch = taken.epoch, .first_seq = seq, .last_seq = seq};
      hash = append_record(frame.payload, {.instance = "e1", .version = seq, .previous = hash, .body = "some body"});
      ASSERT_TRUE(store_->append({&frame, 1}).has_value());
      const auto through = std::min<std::uint64_t>(seq / 2 * 2, 4);  // two, then two more, then none
      ASSERT_TRUE(store_->checkpoint({.through = {.seq = through}}).has_value());
    }
    const std::string text(1'000, 't');
    const std::vector<std::string_view> blobs{text, "small"};
    ASSERT_TRUE(store_->put_blobs(blobs, Instant()).has_value());
    ASSERT_TRUE(store_
                    ->put_definition({.kind = "playbook",
                                      .name = "order",
                                      .version = 1,
                                      .hash = sha256("canonical").to_hex(),
                                      .canonical = "canonical"})
                    .has_value());
    const std::vector<SnapshotRow> snapshots{{.instance = "e1", .version = 6, .bytes = std::string(500, 's')}};
    ASSERT_TRUE(store_->save_snapshots(snapshots).has_value());
    ASSERT_EQ(problems(), "");
  }

  void open() {
    auto opened = open_embedded_store(path());
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
  }

  std::string path() const { return directory_.path() + "/store"; }

  // Changes the database while the store is closed.
  void change(const std::string& sql) {
    store_.reset();
    const auto connection = Connection::open(path() + "/stepwell.db", Connection::Mode::write);
    ASSERT_TRUE((*connection)->run(sql).has_value());
    ASSERT_EQ((*connection)->changes(), 1u);
  }

  std::string problems() {
    std::string text;
    const auto found = store_->verify();
    EXPECT_TRUE(found.has_value()) << found.error().message;
    for (const StoreProblem& problem : *found) text += problem.place + ": " + problem.message + "\n";
    return text;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Store> store_;
};

TEST_F(VerifyTest, ADamagedBlobIsNamed) {
  const std::string hash = sha256("small").to_hex();
  change("update blobs set bytes = 'smell' where hash = x'" + hash + "'");
  open();
  EXPECT_EQ(problems(), "blob " + hash + ": the content is not what was put\n");
  const auto read = store_->find_blob(hash);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, StoreError::Kind::corrupt);
}

TEST_F(VerifyTest, AnArtifactWithoutItsContentIsNamed) {
  const std::string hash = sha256("small").to_hex();
  ASSERT_TRUE(store_->put_artifact({.execution = "e1", .name = "report", .blob = "sha256:" + hash}).has_value());
  EXPECT_EQ(problems(), "");
  change("delete from blobs where hash = x'" + hash + "'");
  open();
  EXPECT_EQ(problems(), "artifact 'report' of e1: its content, sha256:" + hash + ", is not there\n");
}

TEST_F(VerifyTest, ADamagedDefinitionIsNamed) {
  change("update definitions set canonical = 'canonica1'");
  open();
  EXPECT_EQ(problems(), "playbook 'order' version 1: the content does not have its hash\n");
}

TEST_F(VerifyTest, ADamagedSnapshotIsNamed) {
  change("update snapshots set bytes = x'00'");
  open();
  EXPECT_EQ(problems(), "snapshot of e1: it cannot be read\n");
  EXPECT_EQ(store_->find_snapshot("e1").error().kind, StoreError::Kind::corrupt);
}

TEST_F(VerifyTest, ADamagedBlockOfHistoryIsNamed) {
  change("update history_blocks set bytes = substr(bytes, 1, length(bytes) - 1) || x'00' where block = 1");
  open();
  EXPECT_THAT(problems(), HasSubstr("history of e1: history of 'e1', block 1: the block is missing or damaged"));
}

TEST_F(VerifyTest, AChunkThatIsCutOutIsMissed) {
  change("delete from history where first_version = 3");
  open();
  EXPECT_EQ(problems(), "history of e1: version 5 follows version 2\n");
}

TEST_F(VerifyTest, ABeginningThatIsCutOffIsMissed) {
  change("delete from history where first_version = 1");
  open();
  EXPECT_EQ(problems(), "history of e1: version 3 was written after a record that is not there\n");
}

TEST_F(VerifyTest, ACheckpointThatIsChangedIsNotBelieved) {
  change("update shards set released_hash = zeroblob(32)");
  const auto opened = open_embedded_store(path());
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().kind, StoreError::Kind::corrupt);
  EXPECT_THAT(opened.error().message, HasSubstr("is not the one that the last checkpoint took in"));
}

TEST_F(VerifyTest, AFrameThatIsDamagedWhileTheStoreRunsIsFound) {
  std::fstream segment(path() + "/journal/000001.seg", std::ios::binary | std::ios::in | std::ios::out);
  segment.seekp(6 * kBlockBytes + 100);
  segment << "damage" << std::flush;
  EXPECT_THAT(problems(), HasSubstr("000001.seg at 24576"));
  EXPECT_THAT(problems(), HasSubstr("the record is not what was written"));
  EXPECT_EQ(store_->read_tail(0, [](const Frame&) {}).error().kind, StoreError::Kind::corrupt);
}

}  // namespace
}  // namespace stepwell
