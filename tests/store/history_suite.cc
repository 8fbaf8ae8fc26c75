#include "store_suite.h"

namespace stepwell {
namespace {

using Kind = StoreError::Kind;

TEST_P(StoreSuite, ACheckpointLetsFramesGoAndKeepsTheirRecords) {
  take_over();
  append({"a", "b"});
  append({"a"});
  append({"a", "c"});
  checkpoint(3);
  EXPECT_EQ(tail(), "4-5");
  EXPECT_EQ(records("a"), "1 2 3");
  EXPECT_EQ(records("b"), "1");
  EXPECT_EQ(records("c"), "1");
  crash();
  EXPECT_EQ(tail(), "4-5");
  EXPECT_EQ(records("a"), "1 2 3");
  EXPECT_EQ(problems(), "");
}

TEST_P(StoreSuite, RecordsAreReadFromAVersionOn) {
  take_over();
  for (int i = 0; i < 6; ++i) append({"a"});
  checkpoint(4);
  EXPECT_EQ(records("a", 2), "3 4 5 6");
  EXPECT_EQ(records("a", 5), "6");
  EXPECT_EQ(records("a", 6), "");
  EXPECT_EQ(records("nobody"), "");
}

TEST_P(StoreSuite, CheckpointsFollowEachOther) {
  take_over();
  for (std::uint64_t i = 1; i <= 9; ++i) {
    append({"a", "b"});
    if (i % 2 == 0) checkpoint(2 * i);
  }
  EXPECT_EQ(tail(), "17-18");
  EXPECT_EQ(records("a"), "1 2 3 4 5 6 7 8 9");
  EXPECT_EQ(records("b", 7), "8 9");
  crash();
  take_over();
  append({"b"});
  checkpoint(19);
  EXPECT_EQ(tail(), "");
  EXPECT_EQ(records("b"), "1 2 3 4 5 6 7 8 9 10");
  EXPECT_EQ(problems(), "");
}

TEST_P(StoreSuite, TheSameCheckpointAgainChangesNothing) {
  take_over();
  append({"a"});
  checkpoint(1);
  checkpoint(1);
  checkpoint(0);
  EXPECT_EQ(records("a"), "1");
}

TEST_P(StoreSuite, ACheckpointEndsWhereADurableFrameEnds) {
  take_over();
  append({"a", "b"});
  for (const std::uint64_t nowhere : {1u, 3u}) {
    const auto refused = store().checkpoint({.through = {.shard = 0, .seq = nowhere}});
    ASSERT_FALSE(refused.has_value()) << nowhere;
    EXPECT_EQ(refused.error().kind, Kind::invalid);
  }
  EXPECT_EQ(tail(), "1-2");
}

TEST_P(StoreSuite, ShardsAreCheckpointedOneByOne) {
  take_over(0);
  take_over(1);
  append({"a"}, 0);
  append({"x"}, 1);
  append({"a"}, 0);
  append({"x"}, 1);
  checkpoint(2, 0);
  EXPECT_EQ(tail(0), "");
  EXPECT_EQ(tail(1), "1-1 2-2");
  crash();
  EXPECT_EQ(tail(0), "");
  EXPECT_EQ(tail(1), "1-1 2-2");
  EXPECT_EQ(good(store().take_over(0)).next_seq, 3u);
  checkpoint(1, 1);
  EXPECT_EQ(tail(1), "2-2");
  EXPECT_EQ(records("x"), "1 2");
  EXPECT_EQ(problems(), "");
}

TEST_P(StoreSuite, InstancesComeInOrderOfTheirNames) {
  EXPECT_EQ(instances(), "");
  take_over();
  append({"d", "b"});
  checkpoint(2);
  append({"c", "b", "a"});
  EXPECT_EQ(instances(), "a b c d");
}

TEST_P(StoreSuite, AVisitorMayAskTheStore) {
  take_over();
  append({"a", "b"});
  checkpoint(2);
  append({"a"});
  std::string seen;
  good(store().each_instance([&](std::string_view name) { seen += records(std::string(name)) + ";"; }));
  EXPECT_EQ(seen, "1 2;1;");
  good(store().read_tail(0, [&](const Frame&) { seen = tail(); }));
  EXPECT_EQ(seen, "3-3");
  good(store().read_records("a", 0, [&](const Record&, const RecordHash&) { seen = records("a"); }));
  EXPECT_EQ(seen, "1 2");
}

TEST_P(StoreSuite, VerifyFindsARecordThatDoesNotFollow) {
  take_over();
  append({"a"});
  Frame made = frame({});
  made.last_seq = made.first_seq;
  append_record(made.payload, {.instance = "a", .version = 2, .previous = {'w', 'r', 'o', 'n', 'g'}, .body = "x"});
  good(store().append({&made, 1}));
  EXPECT_NE(problems().find("version 2 was written after another record than the one before it"), std::string::npos)
      << problems();
  checkpoint(2);
  EXPECT_NE(problems().find("version 2 was written after another record"), std::string::npos) << problems();
}

TEST_P(StoreSuite, VerifyFindsAVersionThatIsMissing) {
  take_over();
  append({"a"});
  const Frame never_appended = frame({"a"});
  Frame made = frame({"a"});
  made.first_seq = made.last_seq = never_appended.first_seq;
  good(store().append({&made, 1}));
  EXPECT_NE(problems().find("version 3 follows version 1"), std::string::npos) << problems();
  EXPECT_NE(problems().find("a"), std::string::npos);
}

TEST_P(StoreSuite, ACheckpointSavesSnapshots) {
  take_over();
  append({"a"});
  good(store().checkpoint({.through = {.shard = 0, .seq = 1},
                           .snapshots = {{.instance = "a", .version = 1, .bytes = std::string("state\0one", 9)}}}));
  crash();
  const auto snapshot = good(store().find_snapshot("a"));
  ASSERT_TRUE(snapshot.has_value());
  EXPECT_EQ(snapshot->version, 1u);
  EXPECT_EQ(snapshot->bytes, std::string("state\0one", 9));
  EXPECT_FALSE(good(store().find_snapshot("b")).has_value());
}

TEST_P(StoreSuite, TheLatestSnapshotIsKept) {
  take_over();
  append({"a"});
  append({"a"});
  const std::vector<SnapshotRow> second{{.instance = "a", .version = 2, .bytes = "two"}};
  const std::vector<SnapshotRow> first{{.instance = "a", .version = 1, .bytes = "one"}};
  good(store().save_snapshots(second));
  good(store().save_snapshots(first));
  EXPECT_EQ(good(store().find_snapshot("a"))->bytes, "two");
}

}  // namespace
}  // namespace stepwell
