#include "stepwell/server/rebuild.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "stepwell/runtime/load_instance.h"
#include "stepwell/runtime/sharding.h"

namespace stepwell {

namespace {

constexpr std::size_t kBatch = 1'000;

// Executions with records that no checkpoint has taken in: recovery goes on from their snapshots.
Stored<std::set<std::string, std::less<>>> executions_in_tail(Store& store, std::uint32_t shards) {
  std::set<std::string, std::less<>> names;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    Stored<> good;
    const Stored<> read = store.read_tail(shard, [&](const Frame& frame) {
      const auto records = read_records(frame.payload, [&](const Record& record, const RecordHash&) {
        if (!names.contains(record.instance)) names.emplace(record.instance);
      });
      if (!records && good) good = std::unexpected(StoreError{StoreError::Kind::corrupt, records.error()});
    });
    if (!read) return std::unexpected(read.error());
    if (!good) return std::unexpected(good.error());
  }
  return names;
}

// What is derived of many executions, written in one go.
class Derived {
 public:
  explicit Derived(Store& store) : store_(store) {}

  Stored<> add(const Instance& instance, std::uint32_t shard, bool keep_snapshot) {
    rows_.executions.push_back(row_of(instance, shard));
    if (keep_snapshot) snapshots_.push_back(snapshot_of(instance));
    return rows_.executions.size() < kBatch ? Stored<>() : write();
  }

  Stored<> write() {
    // A row makes recovery look for the snapshot, so that comes first.
    if (auto saved = store_.save_snapshots(snapshots_); !saved) return saved;
    if (auto projected = store_.project(rows_); !projected) return projected;
    snapshots_.clear();
    rows_ = {};
    return {};
  }

 private:
  Store& store_;
  Projection rows_;
  std::vector<SnapshotRow> snapshots_;
};

}  // namespace

Stored<std::uint64_t> rebuild(Store& store, Playbooks& playbooks) {
  const auto shards = store.fix_shards(1);
  if (!shards) return std::unexpected(shards.error());
  const auto in_tail = executions_in_tail(store, *shards);
  if (!in_tail) return std::unexpected(in_tail.error());
  if (auto cleared = store.clear_derived(); !cleared) return std::unexpected(cleared.error());
  std::vector<std::string> executions;
  const Stored<> listed = store.each_instance([&](std::string_view name) { executions.emplace_back(name); });
  if (!listed) return std::unexpected(listed.error());
  Derived derived(store);
  std::uint64_t count = 0;
  for (const std::string& execution : executions) {
    const auto instance = load_instance(store, playbooks, execution);
    if (!instance) return std::unexpected(instance.error());
    if (*instance == nullptr) continue;
    const bool keep_snapshot = !is_over(**instance) || in_tail->contains(execution);
    if (auto added = derived.add(**instance, shard_of(execution, *shards), keep_snapshot); !added) {
      return std::unexpected(added.error());
    }
    ++count;
  }
  if (auto written = derived.write(); !written) return std::unexpected(written.error());
  return count;
}

}  // namespace stepwell
