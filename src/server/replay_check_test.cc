#include "stepwell/server/replay_check.h"

#include "stepwell/base/sha256.h"
#include "stepwell/server/garbage.h"
#include "stepwell/server/rebuild.h"
#include "stepwell/server/testing/service_test.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {
namespace {

class StoreMethodsTest : public ServiceTest {
 protected:
  StoreMethodsTest() {
    add_playbook("mixed",
                 "workflow:\n"
                 "  - {step: split, next: [{step: work, foreach: {in: [1, 2, 3], as: n}}]}\n"
                 "  - {step: work, tool: {kind: work}, set: {ctx.at: '{{ now() }}'}, next: tally}\n"
                 "  - {step: tally, join: {from: split}, next: paid}\n"
                 "  - {step: paid, type: wait, signal: paid}\n");
    for (const char* id : {"a", "b"}) start("mixed", id);
    for (const char* id : {"a", "b"}) run_to_rest(id);
    must("executions.signal", json(R"({"execution": "b", "name": "paid", "payload": 17})"));
    run_to_rest("b");
  }
};

TEST_F(StoreMethodsTest, DecidingAgainGivesTheSameEvents) {
  EXPECT_TRUE(runtime_->checkpoint());
  const auto replayed = replay_check(*store_, runtime_->playbooks(), {.decide_again = true});
  ASSERT_TRUE(replayed) << replayed.error().message;
  EXPECT_EQ(replayed->executions, 2);
  EXPECT_EQ(replayed->records, 9);  // a start and three reports each, and the signal
  EXPECT_GT(replayed->events, replayed->records);
  EXPECT_TRUE(replayed->problems.empty()) << replayed->problems.front().message;
}

TEST_F(StoreMethodsTest, ASnapshotThatIsNotWhatTheRecordsLeadToIsFound) {
  ASSERT_TRUE(runtime_->checkpoint());
  auto snapshot = store_->find_snapshot("a");
  ASSERT_TRUE(snapshot && *snapshot);
  close();
  ASSERT_TRUE(store_->clear_derived());
  (*snapshot)->bytes.back() ^= 1;
  ASSERT_TRUE(store_->save_snapshots({&**snapshot, 1}));
  Playbooks playbooks(*store_);
  ASSERT_TRUE(playbooks.load());
  const auto replayed = replay_check(*store_, playbooks, {.only = {"a"}});
  ASSERT_TRUE(replayed);
  ASSERT_EQ(replayed->problems.size(), 1);
  EXPECT_EQ(replayed->problems.front().place, "execution a");
}

TEST_F(StoreMethodsTest, WhatIsDerivedComesBackFromTheRecords) {
  const Value before = must("executions.list", json("{}"));
  const Value state = must("executions.state", json(R"({"execution": "a"})"));
  ASSERT_TRUE(runtime_->checkpoint());
  close();
  {
    Playbooks playbooks(*store_);
    ASSERT_TRUE(playbooks.load());
    const auto rebuilt = rebuild(*store_, playbooks);
    ASSERT_TRUE(rebuilt) << rebuilt.error().message;
    EXPECT_EQ(*rebuilt, 2);
  }
  open();
  EXPECT_EQ(must("executions.list", json("{}")), before);
  EXPECT_EQ(must("executions.state", json(R"({"execution": "a"})")), state);
  must("executions.signal", json(R"({"execution": "a", "name": "paid"})"));
  run_to_rest("a");
  EXPECT_EQ(status("a"), "completed");
}

TEST_F(StoreMethodsTest, OnlyBlobsThatNothingRefersToAreSwept) {
  const Instant long_ago = *checked_sub(system_clock().now(), *Duration::parse("1d"));
  const std::string inner = encode_cbor("only referred to by another blob");
  const std::string inner_reference = "sha256:" + sha256(inner).to_hex();
  const std::string kept = encode_cbor(Value::map({{"$ref", inner_reference}}));
  const std::string garbage = encode_cbor("referred to by nothing");
  const std::string young = encode_cbor("its record may be on its way");
  const std::string_view old[] = {inner, kept, garbage};
  const std::string_view fresh[] = {young};
  ASSERT_TRUE(store_->put_blobs(old, long_ago));
  ASSERT_TRUE(store_->put_blobs(fresh, system_clock().now()));
  start("mixed", "c", R"({"big": {"$ref": "sha256:)" + sha256(kept).to_hex() + R"(", "size": 1, "type": "map"}})");
  const auto swept = sweep_garbage(*store_, system_clock().now());
  ASSERT_TRUE(swept) << swept.error().message;
  EXPECT_EQ(swept->blobs, 1);
  for (const std::string& blob : {inner, kept, young}) {
    const auto found = store_->find_blob(sha256(blob).to_hex());
    EXPECT_TRUE(found && *found);
  }
}

}  // namespace
}  // namespace stepwell
