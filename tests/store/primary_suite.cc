#include "stepwell/base/sha256.h"

#include "store_suite.h"

namespace stepwell {
namespace {

using Kind = StoreError::Kind;

void put(Store& store, const std::vector<std::string_view>& contents, std::int64_t seconds) {
  ASSERT_TRUE(store.put_blobs(contents, at(seconds)).has_value());
}

TEST_P(StoreSuite, TheNumberOfShardsIsFixedByTheFirstWhoWantsOne) {
  EXPECT_EQ(good(store().fix_shards(3)), 3u);
  EXPECT_EQ(good(store().fix_shards(5)), 3u);
  crash();
  EXPECT_EQ(good(store().fix_shards(1)), 3u);
}

TEST_P(StoreSuite, DefinitionsAreKeptByKindNameAndVersion) {
  const DefinitionRow second{.kind = "playbook",
                             .name = "order",
                             .version = 2,
                             .hash = "bb",
                             .canonical = std::string("c\0two", 5),
                             .source = "two: 2",
                             .registered_at = at(2)};
  good(store().put_definition(second));
  good(store().put_definition({.kind = "playbook", .name = "order", .version = 1, .hash = "aa", .canonical = "one"}));
  good(store().put_definition({.kind = "artifact_type", .name = "z", .version = 1, .hash = "cc", .canonical = "z"}));
  crash();
  const auto all = good(store().definitions());
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].kind, "artifact_type");
  EXPECT_EQ(all[1].version, 1);
  EXPECT_EQ(all[2].canonical, second.canonical);
  EXPECT_EQ(all[2].source, second.source);
  EXPECT_EQ(all[2].hash, second.hash);
  EXPECT_EQ(all[2].registered_at, second.registered_at);
}

TEST_P(StoreSuite, ADefinitionNeverChanges) {
  good(store().put_definition({.kind = "playbook", .name = "order", .version = 1, .canonical = "one", .source = "s"}));
  good(store().put_definition({.kind = "playbook", .name = "order", .version = 1, .canonical = "one", .source = "t"}));
  EXPECT_EQ(good(store().definitions())[0].source, "s");
  const auto refused = store().put_definition({.kind = "playbook", .name = "order", .version = 1, .canonical = "two"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, Kind::invalid);
  EXPECT_EQ(refused.error().message, "playbook 'order' version 1 is there with other content");
}

TEST_P(StoreSuite, BlobsAreFoundByTheirHash) {
  const std::string compressible(100'000, 'x');
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * i * 7 + i / 3);
  put(store(), {compressible, bytes, ""}, 1);
  crash();
  EXPECT_EQ(good(store().find_blob(sha256(compressible).to_hex())), compressible);
  EXPECT_EQ(good(store().find_blob(sha256(bytes).to_hex())), bytes);
  EXPECT_EQ(good(store().find_blob(sha256("").to_hex())), "");
  EXPECT_EQ(good(store().find_blob(sha256("nobody put this").to_hex())), std::nullopt);
  EXPECT_EQ(good(store().find_blob("no hash")), std::nullopt);
  EXPECT_EQ(problems(), "");
}

TEST_P(StoreSuite, ASweepDeletesWhatIsOldAndNotWanted) {
  put(store(), {"wanted", "unwanted"}, 10);
  put(store(), {"young"}, 30);
  const std::string wanted = sha256("wanted").to_hex();
  std::vector<std::string> asked;
  const auto swept = good(store().sweep_blobs(at(20), [&](std::string_view hash) {
    asked.emplace_back(hash);
    return hash == wanted;
  }));
  EXPECT_EQ(asked.size(), 2u) << "nobody is asked about a young one";
  EXPECT_EQ(swept.blobs, 1u);
  EXPECT_EQ(swept.bytes, std::string_view("unwanted").size());
  EXPECT_TRUE(good(store().find_blob(wanted)).has_value());
  EXPECT_TRUE(good(store().find_blob(sha256("young").to_hex())).has_value());
  EXPECT_FALSE(good(store().find_blob(sha256("unwanted").to_hex())).has_value());
}

TEST_P(StoreSuite, ABlobThatIsPutAgainIsYoungAgain) {
  put(store(), {"again"}, 10);
  put(store(), {"again"}, 30);
  put(store(), {"again"}, 5);
  EXPECT_EQ(good(store().sweep_blobs(at(20), [](std::string_view) { return false; })).blobs, 0u);
  EXPECT_EQ(good(store().find_blob(sha256("again").to_hex())), "again");
}

TEST_P(StoreSuite, ABlobThatIsPutWhileASweepAsksStays) {
  put(store(), {"raced"}, 10);
  const auto swept = good(store().sweep_blobs(at(20), [&](std::string_view) {
    put(store(), {"raced"}, 30);
    return false;
  }));
  EXPECT_EQ(swept.blobs, 0u);
  EXPECT_EQ(good(store().find_blob(sha256("raced").to_hex())), "raced");
}

TEST_P(StoreSuite, TheLatestArtifactOfANameIsFound) {
  good(store().put_artifact({.execution = "a", .name = "report", .type = "text", .blob = "sha256:01", .size = 1}));
  good(store().put_artifact({.execution = "a", .name = "report", .type = "pdf", .blob = "sha256:02", .size = 2}));
  crash();
  const auto artifact = good(store().find_artifact("a", "report"));
  ASSERT_TRUE(artifact.has_value());
  EXPECT_EQ(artifact->type, "pdf");
  EXPECT_EQ(artifact->blob, "sha256:02");
  EXPECT_EQ(artifact->size, 2u);
  EXPECT_FALSE(good(store().find_artifact("b", "report")).has_value());
}

TEST_P(StoreSuite, EveryArtifactIsVisitedInOrder) {
  for (const auto& [execution, name] : {std::pair("b", "x"), std::pair("a", "y"), std::pair("a", "x")}) {
    good(store().put_artifact({.execution = execution, .name = name, .type = "text", .blob = "sha256:01", .size = 1}));
  }
  crash();
  std::vector<std::string> seen;
  ASSERT_TRUE(store()
                  .each_artifact([&](const ArtifactRow& artifact) {
                    EXPECT_EQ(artifact.type + artifact.blob, "textsha256:01");
                    seen.push_back(artifact.execution + "/" + artifact.name);
                  })
                  .has_value());
  EXPECT_EQ(seen, (std::vector<std::string>{"a/x", "a/y", "b/x"}));
}

TEST_P(StoreSuite, UsageGrowsWithWhatIsWritten) {
  take_over();
  const StoreUsage before = good(store().usage());
  append({"a"});
  const StoreUsage after = good(store().usage());
  EXPECT_GT(after.written_bytes, before.written_bytes);
  EXPECT_GT(after.journal_bytes, 0u);
  checkpoint(1);
  EXPECT_EQ(good(store().usage()).journal_bytes, 0u);
}

TEST_P(StoreSuite, ABackupIsAStore) {
  take_over();
  append({"a", "b"});
  checkpoint(2);
  append({"a"});
  put(store(), {"blob"}, 1);
  good(store().project({.executions = {{.id = "a"}}, .positions = {{.shard = 0, .seq = 3}}}));
  if (!home().move_to_backup()) return;
  EXPECT_EQ(records("a"), "1 2");
  EXPECT_EQ(tail(), "3-3");
  EXPECT_TRUE(good(store().find_blob(sha256("blob").to_hex())).has_value());
  EXPECT_TRUE(good(store().find_execution("a")).has_value());
  EXPECT_EQ(problems(), "");
  take_over();
  append({"a"});
  EXPECT_EQ(records("a"), "1 2 3");
}

}  // namespace
}  // namespace stepwell
