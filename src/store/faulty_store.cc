#include "stepwell/store/faulty_store.h"

#include <algorithm>
#include <string>
#include <utility>

#include "stepwell/base/check.h"
#include "stepwell/store/memory_store.h"

namespace stepwell {
namespace {

using Lock = std::lock_guard<std::mutex>;

}  // namespace

FaultyStore::FaultyStore() : durable_(open_memory_store()), seen_(open_memory_store()) {}

void FaultyStore::follow(Script script) {
  const Lock lock(mutex_);
  script_ = std::move(script);
}

std::size_t FaultyStore::unsynced() {
  const Lock lock(mutex_);
  return unsynced_.size();
}

void FaultyStore::lose_power(std::size_t kept) {
  const Lock lock(mutex_);
  for (std::size_t i = 0; i < std::min(kept, unsynced_.size()); ++i) CHECK(unsynced_[i](*durable_).has_value());
  unsynced_.clear();
  lost_ = taken_;
  seen_ = copy_memory_store(*durable_);
}

Stored<std::uint32_t> FaultyStore::fix_shards(std::uint32_t wanted) {
  std::uint32_t fixed = 0;
  const auto done = write_now([&](Store& store) -> Stored<> {
    const auto answer = store.fix_shards(wanted);
    if (!answer) return std::unexpected(answer.error());
    fixed = *answer;
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return fixed;
}

Stored<Takeover> FaultyStore::take_over(std::uint32_t shard) {
  Takeover taken;
  const auto done = write_now([&](Store& store) -> Stored<> {
    const auto answer = store.take_over(shard);
    if (!answer) return std::unexpected(answer.error());
    taken = *answer;
    return {};
  });
  if (!done) return std::unexpected(done.error());
  const Lock lock(mutex_);
  taken_.insert(shard);
  lost_.erase(shard);
  return taken;
}

Stored<> FaultyStore::append(std::span<const Frame> frames) {
  const Lock lock(mutex_);
  if (std::ranges::any_of(frames, [&](const Frame& frame) { return lost_.contains(frame.shard); })) {
    return refuse(StoreError::Kind::failed, "an append before has failed; take the shard over anew");
  }
  const AppendFault fault = script_ ? script_(frames) : AppendFault::none;
  if (fault == AppendFault::full) return refuse(StoreError::Kind::full, "no space is left");
  if (fault != AppendFault::none) lost_ = taken_;
  if (fault == AppendFault::failed) return refuse(StoreError::Kind::failed, "the disk has failed");
  if (fault != AppendFault::torn) {
    if (auto done = durable_->append(frames); !done) return done;
    CHECK(seen_->append(frames).has_value());
  }
  if (fault == AppendFault::none) return {};
  return refuse(StoreError::Kind::unknown, "the disk has not answered");
}

Stored<> FaultyStore::write_later(Write write) {
  const Lock lock(mutex_);
  auto done = write(*seen_);
  if (done) unsynced_.push_back(std::move(write));
  return done;
}

Stored<> FaultyStore::write_now(const Write& write) {
  const Lock lock(mutex_);
  auto done = write(*seen_);
  if (!done) return done;
  for (const Write& before : std::exchange(unsynced_, {})) CHECK(before(*durable_).has_value());
  return write(*durable_);
}

std::shared_ptr<Store> FaultyStore::seen() {
  const Lock lock(mutex_);
  return seen_;
}

Stored<> FaultyStore::read_tail(std::uint32_t shard, const std::function<void(const Frame&)>& visit) {
  return seen()->read_tail(shard, visit);
}

Stored<> FaultyStore::checkpoint(const CheckpointRequest& request) {
  return write_now([&](Store& store) { return store.checkpoint(request); });
}

Stored<> FaultyStore::read_records(std::string_view instance, std::uint64_t after,
                                   const std::function<void(const Record&, const RecordHash&)>& visit) {
  return seen()->read_records(instance, after, visit);
}

Stored<> FaultyStore::each_instance(const std::function<void(std::string_view)>& visit) {
  return seen()->each_instance(visit);
}

Stored<> FaultyStore::save_snapshots(std::span<const SnapshotRow> snapshots) {
  return write_later([kept = std::vector<SnapshotRow>(snapshots.begin(), snapshots.end())](Store& store) {
    return store.save_snapshots(kept);
  });
}

Stored<std::optional<SnapshotRow>> FaultyStore::find_snapshot(std::string_view instance) {
  return seen()->find_snapshot(instance);
}

Stored<> FaultyStore::project(const Projection& projection) {
  return write_later([projection](Store& store) { return store.project(projection); });
}

Stored<std::vector<ShardPosition>> FaultyStore::projected() { return seen()->projected(); }

Stored<> FaultyStore::clear_derived() {
  return write_later([](Store& store) { return store.clear_derived(); });
}

Stored<std::optional<ExecutionRow>> FaultyStore::find_execution(std::string_view id) {
  return seen()->find_execution(id);
}

Stored<ExecutionPage> FaultyStore::find_executions(const ExecutionQuery& query) {
  return seen()->find_executions(query);
}

Stored<std::vector<ExecutionRow>> FaultyStore::find_due(std::uint32_t shard, Instant until, std::uint32_t limit) {
  return seen()->find_due(shard, until, limit);
}

Stored<std::vector<ExecutionRow>> FaultyStore::find_awake(std::uint32_t shard, std::string_view after,
                                                          std::uint32_t limit) {
  return seen()->find_awake(shard, after, limit);
}

Stored<std::vector<DeadLetterRow>> FaultyStore::dead_letters(std::uint32_t limit) {
  return seen()->dead_letters(limit);
}

Stored<> FaultyStore::put_definition(const DefinitionRow& definition) {
  return write_now([&](Store& store) { return store.put_definition(definition); });
}

Stored<std::vector<DefinitionRow>> FaultyStore::definitions() { return seen()->definitions(); }

Stored<> FaultyStore::put_blobs(std::span<const std::string_view> contents, Instant at) {
  return write_now([&](Store& store) { return store.put_blobs(contents, at); });
}

Stored<std::optional<std::string>> FaultyStore::find_blob(std::string_view hash) { return seen()->find_blob(hash); }

Stored<Store::Swept> FaultyStore::sweep_blobs(Instant before, const std::function<bool(std::string_view hash)>& keep) {
  // Whoever is asked may write to this store, so nothing is held meanwhile; and is asked once.
  std::set<std::string, std::less<>> unwanted;
  auto swept = seen()->sweep_blobs(before, [&](std::string_view hash) {
    const bool kept = keep(hash);
    if (!kept) unwanted.emplace(hash);
    return kept;
  });
  if (!swept) return swept;
  const Lock lock(mutex_);
  const auto again = durable_->sweep_blobs(before, [&](std::string_view hash) { return !unwanted.contains(hash); });
  if (!again) return again;
  return swept;
}

Stored<> FaultyStore::put_artifact(const ArtifactRow& artifact) {
  return write_now([&](Store& store) { return store.put_artifact(artifact); });
}

Stored<std::optional<ArtifactRow>> FaultyStore::find_artifact(std::string_view execution, std::string_view name) {
  return seen()->find_artifact(execution, name);
}

Stored<> FaultyStore::each_artifact(const std::function<void(const ArtifactRow&)>& visit) {
  return seen()->each_artifact(visit);
}

Stored<std::vector<StoreProblem>> FaultyStore::verify() { return seen()->verify(); }
Stored<> FaultyStore::backup(const std::string& directory) { return seen()->backup(directory); }
Stored<StoreUsage> FaultyStore::usage() { return seen()->usage(); }

}  // namespace stepwell
