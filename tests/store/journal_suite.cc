#include "store_suite.h"

namespace stepwell {
namespace {

using Kind = StoreError::Kind;

TEST_P(StoreSuite, ANewShardBeginsWithRecordOne) {
  const Takeover taken = good(store().take_over(7));
  EXPECT_GT(taken.epoch, 0u);
  EXPECT_EQ(taken.next_seq, 1u);
  EXPECT_EQ(tail(7), "");
}

TEST_P(StoreSuite, WhatIsAppendedSurvivesACrash) {
  take_over();
  append({"a"});
  append({"b", "a"});
  EXPECT_EQ(tail(), "1-1 2-3");
  crash();
  EXPECT_EQ(tail(), "1-1 2-3");
  EXPECT_EQ(records("a"), "1 2");
  EXPECT_EQ(records("b"), "1");
  take_over();
  append({"b"});
  EXPECT_EQ(tail(), "1-1 2-3 4-4");
  EXPECT_EQ(problems(), "");
}

TEST_P(StoreSuite, EveryTakeoverHasAHigherEpoch) {
  const Takeover first = good(store().take_over(0));
  const Takeover second = good(store().take_over(0));
  EXPECT_GT(second.epoch, first.epoch);
  crash();
  EXPECT_GT(good(store().take_over(0)).epoch, second.epoch);
  EXPECT_EQ(good(store().take_over(1)).next_seq, 1u) << "another shard has its own";
}

TEST_P(StoreSuite, ADeposedOwnerCannotWrite) {
  take_over();
  append({"a"});
  const Frame late = frame({"a"});
  EXPECT_EQ(good(store().take_over(0)).next_seq, 2u);
  const auto refused = store().append({&late, 1});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, Kind::fenced);
  EXPECT_EQ(tail(), "1-1");
}

TEST_P(StoreSuite, NothingIsAppendedToAShardThatNobodyOwns) {
  Frame stray{.shard = 3, .epoch = 0, .first_seq = 1, .last_seq = 1};
  append_record(stray.payload, {.instance = "a", .version = 1});
  EXPECT_EQ(store().append({&stray, 1}).error().kind, Kind::fenced);
}

TEST_P(StoreSuite, FramesOfOneAppendAreAllThereOrNone) {
  take_over(0);
  take_over(1);
  const std::vector<Frame> good_ones{frame({"a"}, 0), frame({"b"}, 1), frame({"a"}, 0)};
  good(store().append(good_ones));
  EXPECT_EQ(tail(0), "1-1 2-2");
  EXPECT_EQ(tail(1), "1-1");

  std::vector<Frame> with_a_gap{frame({"a"}, 0), frame({"b"}, 1)};
  with_a_gap[1].first_seq += 1;
  with_a_gap[1].last_seq += 1;
  EXPECT_EQ(store().append(with_a_gap).error().kind, Kind::invalid);
  EXPECT_EQ(tail(0), "1-1 2-2");
  EXPECT_EQ(tail(1), "1-1");
  EXPECT_EQ(records("a"), "1 2");
}

TEST_P(StoreSuite, AFrameHoldsWhatItSays) {
  take_over();
  Frame short_of_one = frame({"a", "b"});
  short_of_one.last_seq = 1;
  EXPECT_EQ(store().append({&short_of_one, 1}).error().kind, Kind::invalid);
  Frame cut{.shard = 0, .epoch = short_of_one.epoch, .first_seq = 1, .last_seq = 2, .payload = short_of_one.payload};
  cut.payload.pop_back();
  EXPECT_EQ(store().append({&cut, 1}).error().kind, Kind::invalid);
  EXPECT_EQ(tail(), "");
}

TEST_P(StoreSuite, AppendingNothingIsFine) { EXPECT_TRUE(store().append({}).has_value()); }

TEST_P(StoreSuite, ALargeFrameIsAFrame) {
  take_over();
  const std::string body(5 << 20, 'x');
  Frame large = frame({"small"});
  append_record(large.payload, {.instance = "large", .version = 1, .body = body});
  large.last_seq += 1;
  good(store().append({&large, 1}));
  crash();
  std::string read;
  good(store().read_records("large", 0, [&](const Record& record, const RecordHash&) { read = record.body; }));
  EXPECT_EQ(read, body);
  EXPECT_EQ(tail(), "1-2");
}

TEST_P(StoreSuite, EveryByteOfABodyIsKept) {
  take_over();
  std::string body;
  for (int byte = 0; byte < 256; ++byte) body += static_cast<char>(byte);
  Frame made{.shard = 0, .epoch = frame({}).epoch, .first_seq = 1, .last_seq = 1};
  append_record(made.payload, {.instance = "bytes", .version = 1, .body = body});
  good(store().append({&made, 1}));
  checkpoint(1);
  std::string read;
  good(store().read_records("bytes", 0, [&](const Record& record, const RecordHash&) { read = record.body; }));
  EXPECT_EQ(read, body);
}

}  // namespace
}  // namespace stepwell
