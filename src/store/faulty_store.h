#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "stepwell/store/store.h"

namespace stepwell {

// What happens to an append.
enum class AppendFault : std::uint8_t {
  none,
  failed,   // nothing is written, and the answer says so
  torn,     // a part is written, which nobody will ever read; the answer is `unknown`
  unknown,  // all is written, but the answer is `unknown`
  full,     // nothing is written; the same append may be tried again
};

// A store in memory that fails as disks do: for tests and the simulator. Each append asks a script what happens to it,
// and a loss of power takes back what was not synced.
class FaultyStore final : public Store {
 public:
  using Script = std::function<AppendFault(std::span<const Frame> frames)>;

  FaultyStore();

  // From the next append on; an empty one lets all go well.
  void follow(Script script);
  // How many writes a loss of power could take back.
  std::size_t unsynced();
  // Takes back the writes that were not synced, but for the first `kept`. Every shard has to be taken over anew.
  void lose_power(std::size_t kept = 0);

  Stored<std::uint32_t> fix_shards(std::uint32_t wanted) override;
  Stored<Takeover> take_over(std::uint32_t shard) override;
  Stored<> append(std::span<const Frame> frames) override;
  Stored<> read_tail(std::uint32_t shard, const std::function<void(const Frame&)>& visit) override;
  Stored<> checkpoint(const CheckpointRequest& request) override;
  Stored<> read_records(std::string_view instance, std::uint64_t after,
                        const std::function<void(const Record&, const RecordHash&)>& visit) override;
  Stored<> each_instance(const std::function<void(std::string_view)>& visit) override;
  Stored<> save_snapshots(std::span<const SnapshotRow> snapshots) override;
  Stored<std::optional<SnapshotRow>> find_snapshot(std::string_view instance) override;
  Stored<> project(const Projection& projection) override;
  Stored<std::vector<ShardPosition>> projected() override;
  Stored<> clear_derived() override;
  Stored<std::optional<ExecutionRow>> find_execution(std::string_view id) override;
  Stored<ExecutionPage> find_executions(const ExecutionQuery& query) override;
  Stored<std::vector<ExecutionRow>> find_due(std::uint32_t shard, Instant until, std::uint32_t limit) override;
  Stored<std::vector<ExecutionRow>> find_awake(std::uint32_t shard, std::string_view after,
                                               std::uint32_t limit) override;
  Stored<std::vector<DeadLetterRow>> dead_letters(std::uint32_t limit) override;
  Stored<> put_definition(const DefinitionRow& definition) override;
  Stored<std::vector<DefinitionRow>> definitions() override;
  Stored<> put_blobs(std::span<const std::string_view> contents, Instant at) override;
  Stored<std::optional<std::string>> find_blob(std::string_view hash) override;
  Stored<Swept> sweep_blobs(Instant before, const std::function<bool(std::string_view hash)>& keep) override;
  Stored<> put_artifact(const ArtifactRow& artifact) override;
  Stored<std::optional<ArtifactRow>> find_artifact(std::string_view execution, std::string_view name) override;
  Stored<> each_artifact(const std::function<void(const ArtifactRow&)>& visit) override;
  Stored<std::vector<StoreProblem>> verify() override;
  Stored<> backup(const std::string& directory) override;
  Stored<StoreUsage> usage() override;

 private:
  using Write = std::function<Stored<>(Store& store)>;

  // A loss of power may take it back.
  Stored<> write_later(Write write);
  // It is durable, and with it all that was written before.
  Stored<> write_now(const Write& write);
  std::shared_ptr<Store> seen();

  std::mutex mutex_;
  std::shared_ptr<Store> durable_;  // what a loss of power leaves
  std::shared_ptr<Store> seen_;     // what everyone reads
  std::vector<Write> unsynced_;     // what one has and the other has not
  std::set<std::uint32_t> taken_;   // every shard that ever was
  std::set<std::uint32_t> lost_;    // those of them that have to be taken over anew
  Script script_;
};

}  // namespace stepwell
