#include <algorithm>

#include "stepwell/runtime/shard.h"

// What a shard writes to the store besides frames: rows, snapshots, checkpoints. None of it is more than the journal
// has, so it is handed over only when all that it shows is durable.
namespace stepwell {

namespace {

// How many snapshots are taken between two looks at the inbox.
constexpr std::size_t kSlice = 500;
// How many leave memory at once. More than of the others, since those who bring new ones may be waiting.
constexpr std::size_t kEvicted = 2'000;
constexpr std::uint32_t kDuePage = 10'000;

}  // namespace

// What comes back after a loss finds nothing that it knew.
void Shard::later(StoreJob job) {
  around_.run([this, generation = generation_, job = std::move(job)](Store& store) mutable -> Continuation {
    return [this, generation, done = job(store)]() mutable {
      if (generation == generation_) done();
    };
  });
}

void Shard::when_durable(Continuation action) {
  if (durable_seq_ + 1 == next_seq_) return action();
  on_durable_.emplace_back(next_seq_ - 1, std::move(action));
}

void Shard::flush_rows(std::function<void(const Stored<>&)> done) {
  if (!rows_wait() && !done) return;
  Projection projection = std::exchange(finished_, {});
  for (Instance* instance : rows_due_) {
    if (instance == nullptr) continue;
    instance->row_due = 0;
    ExecutionRow row = row_of(*instance, number_);
    const std::uint64_t hash = hash_of(row);
    if (std::exchange(instance->row_hash, hash) == hash) continue;
    projection.executions.push_back(std::move(row));
  }
  rows_due_.clear();
  when_durable([this, projection = std::move(projection), done = std::move(done)]() mutable {
    projection.positions = {{number_, durable_seq_}};
    later([projection = std::move(projection), done = std::move(done)](Store& store) -> Continuation {
      return [done, result = store.project(projection)] {
        if (done) done(result);
      };
    });
  });
}

void Shard::catch_up(std::function<void(const Stored<>&)> done) { flush_rows(std::move(done)); }

void Shard::save(std::vector<SnapshotRow> snapshots, std::function<void(const Stored<>&)> done) {
  when_durable([this, snapshots = std::move(snapshots), done = std::move(done)]() mutable {
    later([this, snapshots = std::move(snapshots), done = std::move(done)](Store& store) -> Continuation {
      const Stored<> saved = store.save_snapshots(snapshots);
      std::vector<std::pair<std::string, std::uint64_t>> versions;
      versions.reserve(snapshots.size());
      for (const SnapshotRow& row : snapshots) versions.emplace_back(row.instance, row.version);
      return [this, saved, versions = std::move(versions), done] {
        for (const auto& [execution, version] : versions) {
          if (Instance* instance = find(execution); instance != nullptr && saved) instance->saved_version = version;
        }
        done(saved);
      };
    });
  });
}

// One that is not saved costs the next load some records more, and nothing else.
void Shard::save_due_snapshots() {
  std::vector<SnapshotRow> snapshots;
  snapshots.reserve(snapshots_due_.size());
  for (const std::string& execution : std::exchange(snapshots_due_, {})) {
    Instance* instance = find(execution);
    if (instance == nullptr) continue;
    instance->snapshot_due = false;
    instance->events = 0;
    instance->record_bytes = 0;
    instance->snapshot_bytes = snapshots.emplace_back(snapshot_of(*instance)).bytes.size();
  }
  if (!snapshots.empty()) save(std::move(snapshots), [](const Stored<>&) {});
}

void Shard::checkpoint(std::function<void(const Stored<>&)> done) {
  if (!checkpoint_) {
    checkpoint_.emplace();
    checkpoint_->through = durable_seq_;
    for (const auto& [execution, instance] : instances_) {
      if (instance->last_seq > checkpointed_seq_) checkpoint_->left.push_back(execution);
    }
    bytes_since_checkpoint_ = 0;
    checkpoint_->done.push_back(std::move(done));
    return go_on_with_checkpoint();
  }
  checkpoint_->done.push_back(std::move(done));
}

void Shard::begin_checkpoint() {
  if (checkpoint_ || durable_seq_ == checkpointed_seq_) return;
  const bool old = last_time_ - checkpointed_at_ >= options_.checkpoint_after;
  if (bytes_since_checkpoint_ >= options_.checkpoint_bytes || old) checkpoint([](const Stored<>&) {});
}

void Shard::go_on_with_checkpoint() {
  std::vector<SnapshotRow> slice;
  while (!checkpoint_->left.empty() && slice.size() < kSlice) {
    const Instance* instance = find(checkpoint_->left.back());
    checkpoint_->left.pop_back();
    if (instance != nullptr && instance->saved_version < instance->state.version)
      slice.push_back(snapshot_of(*instance));
  }
  if (!slice.empty()) {
    return save(std::move(slice), [this](const Stored<>& saved) {
      if (!saved) return end_checkpoint(saved);
      go_on_with_checkpoint();
    });
  }
  flush_rows([this](const Stored<>& projected) {
    if (!projected) return end_checkpoint(projected);
    later([this, through = checkpoint_->through](Store& store) -> Continuation {
      return [this, result = store.checkpoint({.through = {number_, through}})] { end_checkpoint(result); };
    });
  });
}

// One that fails is tried again when the next is due; the journal is longer for that long.
void Shard::end_checkpoint(const Stored<>& result) {
  const PendingCheckpoint ended = std::move(*checkpoint_);
  checkpoint_.reset();
  checkpointed_at_ = last_time_;
  if (result) checkpointed_seq_ = ended.through;
  for (const auto& done : ended.done) done(result);
}

void Shard::evict() {
  if (evicting_) return;
  std::vector<SnapshotRow> leaving;
  std::vector<std::pair<std::string, std::uint64_t>> versions;
  // Those that must stay are passed over: they go to the end of the line.
  for (std::size_t looked = 0; looked < kEvicted; ++looked) {
    Instance* oldest = residents_.first();
    if (oldest == nullptr) break;
    const bool idle = last_time_ - oldest->touched >= options_.evict_after;
    if (!idle && instances_.size() <= options_.max_resident + versions.size()) break;
    residents_.touch(*oldest);
    if (idle) oldest->touched = last_time_;
    if (oldest->held != 0 || is_awake(oldest->state)) continue;
    versions.emplace_back(oldest->state.execution, oldest->state.version);
    if (oldest->saved_version < oldest->state.version) leaving.push_back(snapshot_of(*oldest));
  }
  if (versions.empty()) return;
  evicting_ = true;
  flush_rows({});
  save(std::move(leaving), [this, versions = std::move(versions)](const Stored<>& saved) {
    evicting_ = false;
    if (!saved) return;
    for (const auto& [execution, version] : versions) {
      const Instance* instance = find(execution);
      if (instance == nullptr || instance->held != 0 || instance->state.version != version) continue;
      forget(execution);
    }
    drop_stale_timers();
  });
}

// The store knows the timers of those that have left: a million of them cost no memory.
void Shard::drop_stale_timers() {
  if (due_.size() < 2 * instances_.size() + kEvicted) return;
  std::vector<Due> kept;
  kept.reserve(instances_.size());
  for (const Instance* instance = residents_.first(); instance != nullptr; instance = instance->after) {
    if (instance->wake_at) kept.push_back({*instance->wake_at, instance->state.execution});
  }
  due_ = decltype(due_)(std::greater<>(), std::move(kept));
}

// Timers of executions that are not in memory: those that are due before the next look are loaded. What has ended
// leaves the store's list before it is asked for.
void Shard::poll_timers() {
  const Instant now = std::max(last_time_, clock_.now());
  if (polling_ || now - polled_at_ < options_.poll) return;
  polled_at_ = now;
  polling_ = true;
  const Instant until = checked_add(now, *checked_mul(options_.poll, 2)).value_or(Instant());
  if (!rows_wait()) return ask_for_timers(until);
  flush_rows([this, until](const Stored<>&) { ask_for_timers(until); });
}

void Shard::ask_for_timers(Instant until) {
  later([this, until](Store& store) -> Continuation {
    std::vector<std::string> found;
    if (auto rows = store.find_due(number_, until, kDuePage)) {
      found.reserve(rows->size());
      for (ExecutionRow& row : *rows) found.push_back(std::move(row.id));
    }
    return [this, found = std::move(found)] {
      polling_ = false;
      const auto over = std::exchange(over_meanwhile_, {});
      for (const std::string& execution : found) {
        if (find(execution) != nullptr || over.contains(execution) || loading_.contains(execution)) continue;
        loading_[execution];
        load(execution);
      }
    };
  });
}

void Shard::watch(const std::string& execution, std::uint64_t id, Watcher watcher) {
  watchers_[execution].emplace_back(id, std::move(watcher));
}

void Shard::unwatch(const std::string& execution, std::uint64_t id) {
  const auto found = watchers_.find(execution);
  if (found == watchers_.end()) return;
  std::erase_if(found->second, [&](const auto& each) { return each.first == id; });
  if (found->second.empty()) watchers_.erase(found);
}

}  // namespace stepwell
