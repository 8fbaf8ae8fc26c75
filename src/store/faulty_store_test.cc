#include "stepwell/store/faulty_store.h"

#include <gtest/gtest.h>

namespace stepwell {
namespace {

class FaultyStoreTest : public testing::Test {
 protected:
  FaultyStoreTest() { take_over(); }

  void take_over() { taken_ = *store_.take_over(0); }

  // The append with this fault of the next record.
  Stored<> append(AppendFault fault) {
    Frame frame{.epoch = taken_.epoch, .first_seq = taken_.next_seq, .last_seq = taken_.next_seq};
    append_record(frame.payload, {.instance = "a", .version = frame.first_seq, .body = "x"});
    store_.follow([fault](std::span<const Frame>) { return fault; });
    auto done = store_.append({&frame, 1});
    if (done) taken_.next_seq += 1;
    return done;
  }

  std::uint64_t records() {
    std::uint64_t count = 0;
    EXPECT_TRUE(store_.read_records("a", 0, [&](const Record&, const RecordHash&) { ++count; }).has_value());
    return count;
  }

  FaultyStore store_;
  Takeover taken_;
};

TEST_F(FaultyStoreTest, AFailedAppendIsNotThereAndNoLaterOneIsUntilATakeover) {
  EXPECT_EQ(append(AppendFault::failed).error().kind, StoreError::Kind::failed);
  EXPECT_EQ(append(AppendFault::none).error().kind, StoreError::Kind::failed);
  take_over();
  EXPECT_TRUE(append(AppendFault::none).has_value());
  EXPECT_EQ(records(), 1u);
}

TEST_F(FaultyStoreTest, ATornAppendIsNotThere) {
  EXPECT_EQ(append(AppendFault::torn).error().kind, StoreError::Kind::unknown);
  store_.lose_power();
  take_over();
  EXPECT_EQ(taken_.next_seq, 1u);
  EXPECT_EQ(records(), 0u);
}

TEST_F(FaultyStoreTest, AnAppendWithoutAnswerMayBeThere) {
  EXPECT_EQ(append(AppendFault::unknown).error().kind, StoreError::Kind::unknown);
  EXPECT_FALSE(append(AppendFault::none).has_value());
  take_over();
  EXPECT_EQ(taken_.next_seq, 2u);
  EXPECT_EQ(records(), 1u);
}

TEST_F(FaultyStoreTest, AnAppendToAFullDiskIsTriedAgain) {
  EXPECT_EQ(append(AppendFault::full).error().kind, StoreError::Kind::full);
  EXPECT_EQ(records(), 0u);
  EXPECT_TRUE(append(AppendFault::none).has_value());
  EXPECT_EQ(records(), 1u);
}

TEST_F(FaultyStoreTest, ALossOfPowerTakesBackWhatWasNotSyncedFromTheEnd) {
  EXPECT_TRUE(append(AppendFault::none).has_value());
  for (const char* id : {"first", "second", "third"}) {
    ASSERT_TRUE(store_.project({.executions = {{.id = id}}}).has_value());
  }
  EXPECT_EQ(store_.unsynced(), 3u);
  store_.lose_power(1);
  EXPECT_EQ(store_.unsynced(), 0u);
  EXPECT_TRUE(store_.find_execution("first")->has_value());
  EXPECT_FALSE(store_.find_execution("second")->has_value());
  EXPECT_EQ(records(), 1u) << "what was appended stays";
}

TEST_F(FaultyStoreTest, WhatIsSyncedKeepsWhatWasWrittenBefore) {
  ASSERT_TRUE(store_.project({.executions = {{.id = "before"}}}).has_value());
  ASSERT_TRUE(store_.put_artifact({.execution = "e", .name = "n"}).has_value());
  ASSERT_TRUE(store_.project({.executions = {{.id = "after"}}}).has_value());
  store_.lose_power();
  EXPECT_TRUE(store_.find_execution("before")->has_value());
  EXPECT_TRUE(store_.find_artifact("e", "n")->has_value());
  EXPECT_FALSE(store_.find_execution("after")->has_value());
}

}  // namespace
}  // namespace stepwell
