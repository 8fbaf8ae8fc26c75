#include "store_suite.h"

namespace stepwell {
namespace {

ExecutionRow row(const std::string& id, std::int64_t started) {
  return {.id = id, .playbook = "order", .playbook_version = 1, .status = "running", .started_at = at(started)};
}

std::string ids(const std::vector<ExecutionRow>& rows) {
  std::string text;
  for (const ExecutionRow& each : rows) text += (text.empty() ? "" : " ") + each.id;
  return text;
}

TEST_P(StoreSuite, ARowComesBackAsItWasWritten) {
  const ExecutionRow full{.id = "e1",
                          .shard = 3,
                          .playbook = "billing.approve",
                          .playbook_version = 12,
                          .definition_hash = "ab12",
                          .reference = "invoice \"7\"; drop table executions",
                          .parent = "e0",
                          .status = "waiting",
                          .wait = "signal paid",
                          .awake = true,
                          .wake_at = at(99),
                          .error = R"({"code": "x"})",
                          .labels = R"({"team": "ü"})",
                          .started_at = at(5),
                          .ended_at = at(7),
                          .version = 42};
  good(store().project({.executions = {full, row("e2", 1)}}));
  EXPECT_EQ(good(store().find_execution("e1")), full);
  EXPECT_EQ(good(store().find_execution("e2")), row("e2", 1)) << "what is not set stays so";
  EXPECT_EQ(good(store().find_execution("e3")), std::nullopt);
}

TEST_P(StoreSuite, ARowReplacesTheOneOfItsId) {
  good(store().project({.executions = {row("a", 1), row("b", 2)}}));
  ExecutionRow ended = row("a", 1);
  ended.status = "completed";
  ended.ended_at = at(9);
  good(store().project({.executions = {ended}}));
  EXPECT_EQ(good(store().find_execution("a")), ended);
  EXPECT_EQ(ids(good(store().find_executions({})).rows), "b a");
}

TEST_P(StoreSuite, PositionsAreKeptWithTheRows) {
  EXPECT_TRUE(good(store().projected()).empty());
  take_over(1);
  take_over(0);
  append({"a"}, 0);
  append({"x", "y"}, 1);
  good(store().project({.executions = {row("a", 1)}, .positions = {{.shard = 1, .seq = 1}, {.shard = 0, .seq = 1}}}));
  good(store().project({.positions = {{.shard = 1, .seq = 2}}}));
  const auto positions = good(store().projected());
  ASSERT_EQ(positions.size(), 2u);
  EXPECT_EQ(positions[0].shard, 0u);
  EXPECT_EQ(positions[0].seq, 1u);
  EXPECT_EQ(positions[1].shard, 1u);
  EXPECT_EQ(positions[1].seq, 2u);
}

TEST_P(StoreSuite, ListsAreFilteredByEachColumn) {
  ExecutionRow done = row("done-1", 10);
  done.status = "completed";
  ExecutionRow other = row("other-1", 20);
  other.playbook = "refund";
  ExecutionRow named = row("named-1", 30);
  named.reference = "invoice-7";
  ExecutionRow child = row("child-1", 40);
  child.parent = "done-1";
  good(store().project({.executions = {done, other, named, child}}));
  const auto found = [&](const ExecutionQuery& query) { return ids(good(store().find_executions(query)).rows); };
  EXPECT_EQ(found({}), "child-1 named-1 other-1 done-1");
  EXPECT_EQ(found({.statuses = {"completed"}}), "done-1");
  EXPECT_EQ(found({.statuses = {"completed", "running"}}), "child-1 named-1 other-1 done-1");
  EXPECT_EQ(found({.statuses = {"failed"}}), "");
  EXPECT_EQ(found({.playbook = "refund"}), "other-1");
  EXPECT_EQ(found({.reference = "invoice-7"}), "named-1");
  EXPECT_EQ(found({.parent = "done-1"}), "child-1");
  EXPECT_EQ(found({.id_prefix = "o"}), "other-1");
  EXPECT_EQ(found({.id_prefix = "%"}), "") << "a prefix is no pattern";
  EXPECT_EQ(found({.started_after = at(20), .started_before = at(40)}), "named-1 other-1");
  EXPECT_EQ(found({.statuses = {"running"}, .playbook = "order", .limit = 1}), "child-1");
}

TEST_P(StoreSuite, PagesFollowEachOtherWithoutGapOrRepetition) {
  Projection many;
  for (int i = 0; i < 25; ++i) many.executions.push_back(row("e" + std::to_string(100 + i), i / 4));
  good(store().project(many));
  std::vector<ExecutionRow> all;
  ExecutionQuery query{.limit = 7};
  std::vector<std::size_t> sizes;
  do {
    const ExecutionPage page = good(store().find_executions(query));
    sizes.push_back(page.rows.size());
    all.insert(all.end(), page.rows.begin(), page.rows.end());
    query.after = page.next;
  } while (!query.after.empty() && sizes.size() < 10);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{7, 7, 7, 4}));
  ASSERT_EQ(all.size(), 25u);
  for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(all[i].id, "e" + std::to_string(124 - i));
}

TEST_P(StoreSuite, APageThatIsExactlyFullIsTheLast) {
  good(store().project({.executions = {row("a", 1), row("b", 2)}}));
  EXPECT_EQ(good(store().find_executions({.limit = 2})).next, "");
  EXPECT_NE(good(store().find_executions({.limit = 1})).next, "");
}

TEST_P(StoreSuite, AnInventedCursorIsRefused) {
  const auto refused = store().find_executions({.after = "yesterday"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, StoreError::Kind::invalid);
  EXPECT_NE(refused.error().message.find("'yesterday' is no cursor"), std::string::npos);
}

TEST_P(StoreSuite, TheDueComeEarliestFirst) {
  Projection timers;
  for (const auto& [id, wake] : {std::pair("late", 50), std::pair("soon", 10), std::pair("next", 20)}) {
    timers.executions.push_back(row(id, 1));
    timers.executions.back().wake_at = at(wake);
  }
  ExecutionRow ended = row("ended", 1);
  ended.wake_at = at(5);
  ended.ended_at = at(6);
  ExecutionRow elsewhere = row("elsewhere", 1);
  elsewhere.shard = 1;
  elsewhere.wake_at = at(5);
  timers.executions.insert(timers.executions.end(), {ended, elsewhere, row("never", 1)});
  good(store().project(timers));
  EXPECT_EQ(ids(good(store().find_due(0, at(20), 10))), "soon next");
  EXPECT_EQ(ids(good(store().find_due(0, at(60), 2))), "soon next");
  EXPECT_EQ(ids(good(store().find_due(0, at(9), 10))), "");
  EXPECT_EQ(ids(good(store().find_due(1, at(9), 10))), "elsewhere");
}

TEST_P(StoreSuite, TheAwakeComeInPagesById) {
  Projection some;
  for (const char* id : {"c", "a", "d", "b", "asleep", "elsewhere"}) {
    some.executions.push_back(row(id, 1));
    some.executions.back().awake = std::string_view(id) != "asleep";
    some.executions.back().shard = std::string_view(id) == "elsewhere" ? 1 : 0;
  }
  good(store().project(some));
  EXPECT_EQ(ids(good(store().find_awake(0, "", 3))), "a b c");
  EXPECT_EQ(ids(good(store().find_awake(0, "c", 3))), "d");
  EXPECT_EQ(ids(good(store().find_awake(1, "", 3))), "elsewhere");
}

TEST_P(StoreSuite, DeadLettersComeNewestFirst) {
  for (const char* kind : {"first", "second", "third"}) {
    good(store().project(
        {.dead_letters = {{.at = at(1), .from = "a", .to = "b", .kind = kind, .content = "{}", .reason = "gone"}}}));
  }
  const auto letters = good(store().dead_letters(2));
  ASSERT_EQ(letters.size(), 2u);
  EXPECT_EQ(letters[0].kind, "third");
  EXPECT_EQ(letters[1].kind, "second");
  EXPECT_EQ(letters[0].reason, "gone");
  EXPECT_EQ(letters[0].at, at(1));
}

TEST_P(StoreSuite, WhatIsDeletedIsGoneWithAllThatWasKeptOfIt) {
  take_over();
  append({"a", "b"});
  checkpoint(2);
  append({"a", "b"});
  const std::vector<SnapshotRow> snapshots{{.instance = "a", .version = 1, .bytes = "s"}};
  good(store().save_snapshots(snapshots));
  good(store().put_artifact({.execution = "a", .name = "report", .type = "text", .blob = "sha256:00", .size = 1}));
  good(store().project({.executions = {row("a", 1), row("b", 1)}}));
  good(store().project({.deleted = {"a"}, .positions = {{.shard = 0, .seq = 4}}}));
  const auto check = [&] {
    EXPECT_FALSE(good(store().find_execution("a")).has_value());
    EXPECT_FALSE(good(store().find_snapshot("a")).has_value());
    EXPECT_FALSE(good(store().find_artifact("a", "report")).has_value());
    EXPECT_EQ(records("a"), "");
    EXPECT_EQ(records("b"), "1 2");
    EXPECT_EQ(instances(), "b");
    EXPECT_EQ(problems(), "");
  };
  check();
  checkpoint(4);
  check();
  crash();
  check();
}

TEST_P(StoreSuite, WhatIsDerivedCanBeForgotten) {
  take_over();
  append({"a"});
  const std::vector<SnapshotRow> snapshots{{.instance = "a", .version = 1, .bytes = "s"}};
  good(store().save_snapshots(snapshots));
  good(store().put_definition({.kind = "playbook", .name = "order", .version = 1, .canonical = "c"}));
  good(store().project({.executions = {row("a", 1)}, .dead_letters = {{.kind = "k"}}, .positions = {{.seq = 1}}}));
  good(store().clear_derived());
  EXPECT_FALSE(good(store().find_execution("a")).has_value());
  EXPECT_FALSE(good(store().find_snapshot("a")).has_value());
  EXPECT_TRUE(good(store().dead_letters(9)).empty());
  EXPECT_TRUE(good(store().projected()).empty());
  EXPECT_EQ(records("a"), "1");
  EXPECT_EQ(good(store().definitions()).size(), 1u);
}

}  // namespace
}  // namespace stepwell
