#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/store/record.h"
#include "stepwell/store/rows.h"
#include "stepwell/store/store_error.h"

namespace stepwell {

// What a shard finds when it takes over.
struct Takeover {
  std::uint64_t epoch = 0;  // higher than any before; frames of an older one are refused from now on
  std::uint64_t next_seq = 1;
};

// How far the frames of a shard have come: through this seq.
struct ShardPosition {
  std::uint32_t shard = 0;
  std::uint64_t seq = 0;
};

// What the projector writes at once.
struct Projection {
  std::vector<ExecutionRow> executions = {};  // replaced by id
  // Executions that are gone, with all that is kept of them: rows, snapshot, history, artifacts. Of their records only
  // what read_tail() still visits is left.
  std::vector<std::string> deleted = {};
  std::vector<DeadLetterRow> dead_letters = {};
  std::vector<ShardPosition> positions = {};  // the rows show everything up to here
};

// What a checkpoint makes durable before older frames may go.
struct CheckpointRequest {
  ShardPosition through = {};  // the end of a durable frame
  // A snapshot of each instance that has records up to `through` and has not ended, taken at or after that seq. All
  // their records are durable.
  std::vector<SnapshotRow> snapshots = {};
};

// One thing that `verify` found wrong.
struct StoreProblem {
  std::string place = {};  // file and offset, or table and key
  std::string message = {};
};

struct StoreUsage {
  std::uint64_t journal_bytes = 0;  // from the oldest frame that is still needed to the end
  std::uint64_t database_bytes = 0;
  std::uint64_t written_bytes = 0;  // since it was opened, all in
  std::uint64_t syncs = 0;          // since it was opened
};

// Keeps bytes for the runtime, and never meets a workflow. The journal of frames is the truth; `checkpoint` moves what
// it holds into history, compressed, and lets frames go. Everything else is primary (definitions, blobs, artifacts) or
// derived (executions, snapshots, dead letters).
//
// append() is called by one thread at a time. All other functions may be called by any thread at any time; they may
// block on the disk. Nothing here is called by a shard while it decides.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  // --- The journal ---

  // How many shards it has: the number that was wanted first, for ever.
  virtual Stored<std::uint32_t> fix_shards(std::uint32_t wanted) = 0;
  // Makes the caller the one owner of a shard. Until it has, nothing can be appended to the shard.
  virtual Stored<Takeover> take_over(std::uint32_t shard) = 0;
  // Makes frames durable, in their order, all or none: when it answers well they are, with one sync for all. After any
  // error no later append of this store object succeeds until the shards are taken over anew, so that nothing is ever
  // durable behind a gap. `full` is the exception: nothing was written, and the same append may be tried again.
  virtual Stored<> append(std::span<const Frame> frames) = 0;
  // Visits the frames of a shard that no checkpoint has taken in, oldest first.
  virtual Stored<> read_tail(std::uint32_t shard, const std::function<void(const Frame&)>& visit) = 0;
  // Writes snapshots and the history of every record up to `through` in one transaction, then lets those frames go.
  // Up to where an earlier one has come already, there is nothing left to do but to save the snapshots.
  virtual Stored<> checkpoint(const CheckpointRequest& request) = 0;
  // Visits all records of an instance with a version after `after`, oldest first, from history and the journal; up to
  // the last durable one.
  virtual Stored<> read_records(std::string_view instance, std::uint64_t after,
                                const std::function<void(const Record&, const RecordHash&)>& visit) = 0;
  // Every instance that has a record, in order of their names. For rebuild, replay and verify.
  virtual Stored<> each_instance(const std::function<void(std::string_view)>& visit) = 0;

  // --- Derived ---

  // The latest given is kept; an older one than is kept already changes nothing.
  virtual Stored<> save_snapshots(std::span<const SnapshotRow> snapshots) = 0;
  virtual Stored<std::optional<SnapshotRow>> find_snapshot(std::string_view instance) = 0;
  // One transaction; not synced, since it can be derived again. Positions name durable frames.
  virtual Stored<> project(const Projection& projection) = 0;
  // Up to where project() has come, by shard.
  virtual Stored<std::vector<ShardPosition>> projected() = 0;
  // Forgets all that is derived, for `rebuild`.
  virtual Stored<> clear_derived() = 0;

  virtual Stored<std::optional<ExecutionRow>> find_execution(std::string_view id) = 0;
  virtual Stored<ExecutionPage> find_executions(const ExecutionQuery& query) = 0;
  // Of a shard, those that are not ended and have wake_at <= until, the earliest first.
  virtual Stored<std::vector<ExecutionRow>> find_due(std::uint32_t shard, Instant until, std::uint32_t limit) = 0;
  // Of a shard, those that are awake, by id, after this one.
  virtual Stored<std::vector<ExecutionRow>> find_awake(std::uint32_t shard, std::string_view after,
                                                       std::uint32_t limit) = 0;
  // The newest first.
  virtual Stored<std::vector<DeadLetterRow>> dead_letters(std::uint32_t limit) = 0;

  // --- Primary: synced before it returns ---

  // The same canonical bytes again change nothing; others with their kind, name and version are `invalid`.
  virtual Stored<> put_definition(const DefinitionRow& definition) = 0;
  // All, by kind, name and version.
  virtual Stored<std::vector<DefinitionRow>> definitions() = 0;
  // A blob that is there already counts as put at `at`, so that a sweep leaves it to who needs it now.
  virtual Stored<> put_blobs(std::span<const std::string_view> contents, Instant at) = 0;
  // By the hex of its SHA-256; checked on reading.
  virtual Stored<std::optional<std::string>> find_blob(std::string_view hash) = 0;
  // Deletes the blobs that `keep` does not want and that were put before `before`; answers how many and their bytes.
  struct Swept {
    std::uint64_t blobs = 0;
    std::uint64_t bytes = 0;
  };
  virtual Stored<Swept> sweep_blobs(Instant before, const std::function<bool(std::string_view hash)>& keep) = 0;
  virtual Stored<> put_artifact(const ArtifactRow& artifact) = 0;
  virtual Stored<std::optional<ArtifactRow>> find_artifact(std::string_view execution, std::string_view name) = 0;
  // Every artifact, by execution and name.
  virtual Stored<> each_artifact(const std::function<void(const ArtifactRow&)>& visit) = 0;

  // --- Operating ---

  // Reads everything that is stored and checks what can be checked without knowing what it means: checksums, chains,
  // sequences, the database's own check; that the content of artifacts is there.
  virtual Stored<std::vector<StoreProblem>> verify() = 0;
  // Writes a copy of the store, as of now, to a new directory, while others go on. `invalid` for one without files.
  virtual Stored<> backup(const std::string& directory) = 0;
  virtual Stored<StoreUsage> usage() = 0;
};

}  // namespace stepwell
