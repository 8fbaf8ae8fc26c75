#include "stepwell/store/memory_store.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "stepwell/base/check.h"
#include "stepwell/base/sha256.h"
#include "stepwell/store/memory_executions.h"
#include "stepwell/store/record_chain.h"
#include "stepwell/store/shard_heads.h"

namespace stepwell {
namespace {

using Lock = std::lock_guard<std::mutex>;

// A record that owns its bytes.
struct KeptRecord {
  std::uint64_t version = 0;
  RecordHash previous = {};
  std::string body = {};
  RecordHash hash = {};

  Record borrow(std::string_view instance) const {
    return {.instance = instance, .version = version, .previous = previous, .body = body};
  }
};

struct MemoryTail {
  std::uint64_t released_seq = 0;
  std::deque<Frame> frames = {};
};

struct KeptBlob {
  std::string bytes = {};
  Instant put_at = {};
};

// All that it holds.
struct MemoryContents {
  ShardHeads heads = {};
  std::map<std::uint32_t, MemoryTail> tails = {};
  std::map<std::string, std::vector<KeptRecord>, std::less<>> records = {};
  std::map<std::string, SnapshotRow, std::less<>> snapshots = {};
  MemoryExecutions executions = {};
  std::vector<DeadLetterRow> dead_letters = {};
  std::map<std::uint32_t, std::uint64_t> projected = {};
  std::map<std::tuple<std::string, std::string, std::int64_t>, DefinitionRow> definitions = {};
  std::map<std::string, KeptBlob, std::less<>> blobs = {};
  std::map<std::pair<std::string, std::string>, ArtifactRow> artifacts = {};
  std::uint32_t shards = 0;  // none fixed yet
  std::uint64_t written_bytes = 0;
};

class MemoryStore final : public Store {
 public:
  MemoryStore() = default;

  std::unique_ptr<MemoryStore> copy() const {
    auto made = std::make_unique<MemoryStore>();
    const Lock lock(mutex_);
    made->kept_ = kept_;
    return made;
  }

  Stored<std::uint32_t> fix_shards(std::uint32_t wanted) override {
    const Lock lock(mutex_);
    if (kept_.shards == 0) kept_.shards = wanted;
    return kept_.shards;
  }

  Stored<Takeover> take_over(std::uint32_t shard) override {
    const Lock lock(mutex_);
    ShardHead& head = kept_.heads[shard];
    head = {.epoch = head.epoch + 1, .last_seq = head.last_seq, .owned = true};
    return Takeover{.epoch = head.epoch, .next_seq = head.last_seq + 1};
  }

  Stored<> append(std::span<const Frame> frames) override {
    const Lock lock(mutex_);
    if (const auto fits = kept_.heads.check(frames); !fits) return fits;
    for (const Frame& frame : frames) keep(frame);
    kept_.heads.advance(frames);
    return {};
  }

  Stored<> read_tail(std::uint32_t shard, const std::function<void(const Frame&)>& visit) override {
    std::deque<Frame> frames;
    {
      const Lock lock(mutex_);
      frames = kept_.tails[shard].frames;
    }
    for (const Frame& frame : frames) visit(frame);
    return {};
  }

  Stored<> checkpoint(const CheckpointRequest& request) override {
    const Lock lock(mutex_);
    MemoryTail& tail = kept_.tails[request.through.shard];
    auto past = tail.frames.begin();
    while (past != tail.frames.end() && past->last_seq <= request.through.seq) ++past;
    const std::uint64_t end = past == tail.frames.begin() ? tail.released_seq : std::prev(past)->last_seq;
    if (request.through.seq > end) {
      return refuse(StoreError::Kind::invalid, "no durable frame of shard " + std::to_string(request.through.shard) +
                                                   " ends with record " + std::to_string(request.through.seq));
    }
    keep(request.snapshots);
    tail.frames.erase(tail.frames.begin(), past);
    tail.released_seq = end;
    return {};
  }

  Stored<> read_records(std::string_view instance, std::uint64_t after,
                        const std::function<void(const Record&, const RecordHash&)>& visit) override {
    std::vector<KeptRecord> wanted;
    {
      const Lock lock(mutex_);
      const auto found = kept_.records.find(instance);
      if (found == kept_.records.end()) return {};
      std::ranges::copy_if(found->second, std::back_inserter(wanted),
                           [&](const KeptRecord& record) { return record.version > after; });
    }
    for (const KeptRecord& record : wanted) visit(record.borrow(instance), record.hash);
    return {};
  }

  Stored<> each_instance(const std::function<void(std::string_view)>& visit) override {
    std::vector<std::string> names;
    {
      const Lock lock(mutex_);
      names.reserve(kept_.records.size());
      for (const auto& [name, records] : kept_.records) names.push_back(name);
    }
    for (const std::string& name : names) visit(name);
    return {};
  }

  Stored<> save_snapshots(std::span<const SnapshotRow> snapshots) override {
    const Lock lock(mutex_);
    keep(snapshots);
    return {};
  }

  Stored<std::optional<SnapshotRow>> find_snapshot(std::string_view instance) override {
    const Lock lock(mutex_);
    const auto found = kept_.snapshots.find(instance);
    if (found == kept_.snapshots.end()) return std::nullopt;
    return found->second;
  }

  Stored<> project(const Projection& projection) override {
    const Lock lock(mutex_);
    for (const ExecutionRow& row : projection.executions) kept_.executions.put(row);
    for (const std::string& id : projection.deleted) forget(id);
    kept_.dead_letters.insert(kept_.dead_letters.end(), projection.dead_letters.begin(), projection.dead_letters.end());
    for (const ShardPosition& position : projection.positions) kept_.projected[position.shard] = position.seq;
    return {};
  }

  Stored<std::vector<ShardPosition>> projected() override {
    const Lock lock(mutex_);
    std::vector<ShardPosition> positions;
    positions.reserve(kept_.projected.size());
    for (const auto& [shard, seq] : kept_.projected) positions.push_back({.shard = shard, .seq = seq});
    return positions;
  }

  Stored<> clear_derived() override {
    const Lock lock(mutex_);
    kept_.executions.clear();
    kept_.snapshots.clear();
    kept_.dead_letters.clear();
    kept_.projected.clear();
    return {};
  }

  Stored<std::optional<ExecutionRow>> find_execution(std::string_view id) override {
    const Lock lock(mutex_);
    return kept_.executions.find(id);
  }

  Stored<ExecutionPage> find_executions(const ExecutionQuery& query) override {
    const Lock lock(mutex_);
    return kept_.executions.find(query);
  }

  Stored<std::vector<ExecutionRow>> find_due(std::uint32_t shard, Instant until, std::uint32_t limit) override {
    const Lock lock(mutex_);
    return kept_.executions.find_due(shard, until, limit);
  }

  Stored<std::vector<ExecutionRow>> find_awake(std::uint32_t shard, std::string_view after,
                                               std::uint32_t limit) override {
    const Lock lock(mutex_);
    return kept_.executions.find_awake(shard, after, limit);
  }

  Stored<std::vector<DeadLetterRow>> dead_letters(std::uint32_t limit) override {
    const Lock lock(mutex_);
    const auto count = std::min<std::ptrdiff_t>(limit, std::ssize(kept_.dead_letters));
    return std::vector<DeadLetterRow>(kept_.dead_letters.rbegin(), kept_.dead_letters.rbegin() + count);
  }

  Stored<> put_definition(const DefinitionRow& definition) override {
    const Lock lock(mutex_);
    const auto [kept, added] =
        kept_.definitions.try_emplace(std::tuple(definition.kind, definition.name, definition.version), definition);
    if (added || kept->second.canonical == definition.canonical) return {};
    return refuse(StoreError::Kind::invalid, definition.kind + " '" + definition.name + "' version " +
                                                 std::to_string(definition.version) + " is there with other content");
  }

  Stored<std::vector<DefinitionRow>> definitions() override {
    const Lock lock(mutex_);
    std::vector<DefinitionRow> all;
    all.reserve(kept_.definitions.size());
    for (const auto& [key, definition] : kept_.definitions) all.push_back(definition);
    return all;
  }

  Stored<> put_blobs(std::span<const std::string_view> contents, Instant at) override {
    const Lock lock(mutex_);
    for (const std::string_view content : contents) {
      KeptBlob& blob = kept_.blobs[sha256(content).to_hex()];
      blob.bytes = content;
      blob.put_at = std::max(blob.put_at, at);
    }
    return {};
  }

  Stored<std::optional<std::string>> find_blob(std::string_view hash) override {
    const Lock lock(mutex_);
    const auto found = kept_.blobs.find(hash);
    if (found == kept_.blobs.end()) return std::nullopt;
    return found->second.bytes;
  }

  Stored<Swept> sweep_blobs(Instant before, const std::function<bool(std::string_view hash)>& keep) override {
    std::vector<std::string> old;
    {
      const Lock lock(mutex_);
      for (const auto& [hash, blob] : kept_.blobs) {
        if (blob.put_at < before) old.push_back(hash);
      }
    }
    std::erase_if(old, [&](const std::string& hash) { return keep(hash); });
    const Lock lock(mutex_);
    Swept swept;
    for (const std::string& hash : old) {
      const auto blob = kept_.blobs.find(hash);
      if (blob == kept_.blobs.end() || blob->second.put_at >= before) continue;
      swept.blobs += 1;
      swept.bytes += blob->second.bytes.size();
      kept_.blobs.erase(blob);
    }
    return swept;
  }

  Stored<> put_artifact(const ArtifactRow& artifact) override {
    const Lock lock(mutex_);
    kept_.artifacts[{artifact.execution, artifact.name}] = artifact;
    return {};
  }

  Stored<std::optional<ArtifactRow>> find_artifact(std::string_view execution, std::string_view name) override {
    const Lock lock(mutex_);
    const auto found = kept_.artifacts.find({std::string(execution), std::string(name)});
    if (found == kept_.artifacts.end()) return std::nullopt;
    return found->second;
  }

  Stored<> each_artifact(const std::function<void(const ArtifactRow&)>& visit) override {
    const Lock lock(mutex_);
    for (const auto& [name, artifact] : kept_.artifacts) visit(artifact);
    return {};
  }

  Stored<std::vector<StoreProblem>> verify() override {
    const Lock lock(mutex_);
    std::vector<StoreProblem> problems;
    for (const auto& [instance, records] : kept_.records) {
      RecordChain chain;
      for (const KeptRecord& record : records) {
        const auto broken = chain.follow(record.borrow(instance), record.hash);
        if (broken) problems.push_back({.place = "history of " + instance, .message = *broken});
      }
    }
    return problems;
  }

  Stored<> backup(const std::string&) override {
    return refuse(StoreError::Kind::invalid, "a store in memory cannot be backed up: it has no files");
  }

  Stored<StoreUsage> usage() override {
    const Lock lock(mutex_);
    StoreUsage usage{.written_bytes = kept_.written_bytes};
    for (const auto& [shard, tail] : kept_.tails) {
      for (const Frame& frame : tail.frames) usage.journal_bytes += frame.payload.size();
    }
    return usage;
  }

 private:
  void keep(const Frame& frame) {
    const auto read = stepwell::read_records(frame.payload, [&](const Record& record, const RecordHash& hash) {
      kept_.records[std::string(record.instance)].push_back(
          {.version = record.version, .previous = record.previous, .body = std::string(record.body), .hash = hash});
    });
    CHECK(read.has_value());
    kept_.tails[frame.shard].frames.push_back(frame);
    kept_.written_bytes += frame.payload.size();
  }

  void keep(std::span<const SnapshotRow> snapshots) {
    for (const SnapshotRow& snapshot : snapshots) {
      SnapshotRow& kept = kept_.snapshots[snapshot.instance];
      if (kept.version <= snapshot.version) kept = snapshot;
    }
  }

  void forget(const std::string& id) {
    kept_.executions.erase(id);
    kept_.records.erase(id);
    kept_.snapshots.erase(id);
    std::erase_if(kept_.artifacts, [&](const auto& kept) { return kept.first.first == id; });
  }

  mutable std::mutex mutex_;
  MemoryContents kept_;
};

}  // namespace

std::unique_ptr<Store> copy_memory_store(const Store& store) {
  const auto* const memory = dynamic_cast<const MemoryStore*>(&store);
  CHECK(memory != nullptr);
  return memory->copy();
}

std::unique_ptr<Store> open_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace stepwell
