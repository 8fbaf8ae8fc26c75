#include "stepwell/store/embedded/embedded_store.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "stepwell/store/embedded/backup.h"
#include "stepwell/store/embedded/checkpoint.h"
#include "stepwell/store/embedded/directory_lock.h"
#include "stepwell/store/embedded/execution_table.h"
#include "stepwell/store/embedded/history.h"
#include "stepwell/store/embedded/meta_table.h"
#include "stepwell/store/embedded/row_tables.h"
#include "stepwell/store/embedded/schema.h"
#include "stepwell/store/embedded/verify.h"

namespace stepwell {
namespace {

using Lock = std::lock_guard<std::mutex>;
using Sync = Connection::Sync;

std::unexpected<StoreError> refuse(std::string message) {
  return std::unexpected(StoreError{.kind = StoreError::Kind::invalid, .message = std::move(message)});
}

class EmbeddedStore final : public Store {
 public:
  EmbeddedStore(std::string directory, DirectoryLock lock, std::unique_ptr<Connection> writer,
                std::unique_ptr<Connection> reader, std::unique_ptr<Journal> journal)
      : directory_(std::move(directory)),
        lock_(std::move(lock)),
        writer_(std::move(writer)),
        reader_(std::move(reader)),
        journal_(std::move(journal)),
        history_(*reader_) {}

  ~EmbeddedStore() override {
    // From now on an end that is missing is known to be missing. Only a hint: a failure here loses nothing.
    const std::uint64_t last = journal_->last_write();
    [[maybe_unused]] const Stored<> hinted =
        write(Sync::no, [&] { return meta_table::put_acknowledged(*writer_, last); });
  }

  Stored<std::uint32_t> fix_shards(std::uint32_t wanted) override {
    std::uint32_t fixed = 0;
    const Stored<> done = write(Sync::yes, [&]() -> Stored<> {
      auto answer = meta_table::fix_shards(*writer_, wanted);
      if (!answer) return std::unexpected(answer.error());
      fixed = *answer;
      return {};
    });
    if (!done) return std::unexpected(done.error());
    return fixed;
  }

  Stored<Takeover> take_over(std::uint32_t shard) override {
    return journal_->take_over(shard, [&](std::uint64_t epoch) {
      return write(Sync::yes, [&] { return meta_table::put_epoch(*writer_, shard, epoch); });
    });
  }

  Stored<> append(std::span<const Frame> frames) override { return journal_->append(frames); }

  Stored<> read_tail(std::uint32_t shard, const std::function<void(const Frame&)>& visit) override {
    for (const TailFramePtr& frame : journal_->frames(shard)) {
      auto payload = read_payload(*frame);
      if (!payload) return std::unexpected(payload.error());
      visit({.shard = shard,
             .epoch = frame->head.epoch,
             .first_seq = frame->head.first_seq,
             .last_seq = frame->head.last_seq,
             .payload = std::move(*payload)});
    }
    return {};
  }

  Stored<> checkpoint(const CheckpointRequest& request) override {
    const Lock lock(checkpoint_mutex_);
    return write_checkpoint(*journal_, *writer_, request);
  }

  Stored<> read_records(std::string_view instance, std::uint64_t after,
                        const std::function<void(const Record&, const RecordHash&)>& visit) override {
    // The tail first: what a checkpoint moves meanwhile is then found twice rather than not at all.
    const std::vector<TailRecord> tail = journal_->records(instance);
    const auto last = history_.read(instance, after, visit);
    if (!last) return std::unexpected(last.error());
    for (const TailRecord& record : tail) {
      if (record.version <= *last) continue;
      const auto bytes = read_bytes(record);
      if (!bytes) return std::unexpected(bytes.error());
      if (auto read = stepwell::read_records(*bytes, visit); !read) return refuse(read.error());
    }
    return {};
  }

  Stored<> each_instance(const std::function<void(std::string_view)>& visit) override;

  Stored<> save_snapshots(std::span<const SnapshotRow> snapshots) override {
    return write(Sync::no, [&] { return row_tables::put_snapshots(*writer_, snapshots); });
  }

  Stored<std::optional<SnapshotRow>> find_snapshot(std::string_view instance) override {
    const Lock lock(reader_->mutex());
    return row_tables::find_snapshot(*reader_, instance);
  }

  Stored<> project(const Projection& projection) override;

  Stored<std::vector<ShardPosition>> projected() override {
    const Lock lock(reader_->mutex());
    return meta_table::positions(*reader_);
  }

  Stored<> clear_derived() override {
    return write(Sync::no, [&] {
      return writer_->run(
          "delete from executions; delete from snapshots; delete from dead_letters; delete from positions");
    });
  }

  Stored<std::optional<ExecutionRow>> find_execution(std::string_view id) override {
    const Lock lock(reader_->mutex());
    return execution_table::find(*reader_, id);
  }

  Stored<ExecutionPage> find_executions(const ExecutionQuery& query) override {
    const Lock lock(reader_->mutex());
    return execution_table::find(*reader_, query);
  }

  Stored<std::vector<ExecutionRow>> find_due(std::uint32_t shard, Instant until, std::uint32_t limit) override {
    const Lock lock(reader_->mutex());
    return execution_table::find_due(*reader_, shard, until, limit);
  }

  Stored<std::vector<ExecutionRow>> find_awake(std::uint32_t shard, std::string_view after,
                                               std::uint32_t limit) override {
    const Lock lock(reader_->mutex());
    return execution_table::find_awake(*reader_, shard, after, limit);
  }

  Stored<std::vector<DeadLetterRow>> dead_letters(std::uint32_t limit) override {
    const Lock lock(reader_->mutex());
    return row_tables::dead_letters(*reader_, limit);
  }

  Stored<> put_definition(const DefinitionRow& definition) override {
    return write(Sync::yes, [&] { return row_tables::put_definition(*writer_, definition); });
  }

  Stored<std::vector<DefinitionRow>> definitions() override {
    const Lock lock(reader_->mutex());
    return row_tables::definitions(*reader_);
  }

  Stored<> put_blobs(std::span<const std::string_view> contents, Instant at) override {
    return write(Sync::yes, [&]() -> Stored<> {
      for (const std::string_view content : contents) {
        if (auto put = row_tables::put_blob(*writer_, content, at); !put) return put;
      }
      return {};
    });
  }

  Stored<std::optional<std::string>> find_blob(std::string_view hash) override {
    const Lock lock(reader_->mutex());
    return row_tables::find_blob(*reader_, hash);
  }

  Stored<Swept> sweep_blobs(Instant before, const std::function<bool(std::string_view hash)>& keep) override;

  Stored<> put_artifact(const ArtifactRow& artifact) override {
    return write(Sync::yes, [&] { return row_tables::put_artifact(*writer_, artifact); });
  }

  Stored<std::optional<ArtifactRow>> find_artifact(std::string_view execution, std::string_view name) override {
    const Lock lock(reader_->mutex());
    return row_tables::find_artifact(*reader_, execution, name);
  }

  Stored<> each_artifact(const std::function<void(const ArtifactRow&)>& visit) override {
    const Lock lock(reader_->mutex());
    return row_tables::each_artifact(*reader_, visit);
  }

  Stored<std::vector<StoreProblem>> verify() override { return verify_store(*this, *journal_, database_path()); }

  Stored<> backup(const std::string& directory) override {
    // No checkpoint in between: the copy of the database and the copy of the journal are of one moment.
    const Lock lock(checkpoint_mutex_);
    return write_backup(*journal_, database_path(), directory);
  }

  Stored<StoreUsage> usage() override {
    StoreUsage usage{.journal_bytes = journal_->tail_bytes(),
                     .written_bytes = journal_->written_bytes(),
                     .syncs = journal_->syncs()};
    const Lock lock(writer_->mutex());
    std::error_code missing;
    usage.database_bytes = std::filesystem::file_size(database_path(), missing);
    usage.written_bytes += writer_->written_bytes();
    usage.syncs += writer_->syncs();
    return usage;
  }

 private:
  std::string database_path() const { return directory_ + "/stepwell.db"; }

  // Runs `work` in a transaction of the writer.
  Stored<> write(Sync sync, const std::function<Stored<>()>& work) {
    const Lock lock(writer_->mutex());
    return writer_->transaction(sync, work);
  }

  Stored<> forget(const std::string& id);

  const std::string directory_;
  const DirectoryLock lock_;
  // One writes, one reads, so that no reader waits for a checkpoint. Each is locked by its mutex.
  const std::unique_ptr<Connection> writer_;
  const std::unique_ptr<Connection> reader_;
  const std::unique_ptr<Journal> journal_;
  History history_;
  std::mutex checkpoint_mutex_;  // taken before any other
};

Stored<> EmbeddedStore::each_instance(const std::function<void(std::string_view)>& visit) {
  const std::vector<std::string> tail = journal_->instances();
  auto next_in_tail = tail.begin();
  std::string after;
  while (true) {
    const auto page = history_.instances(after);
    if (!page) return std::unexpected(page.error());
    for (const std::string& name : *page) {
      for (; next_in_tail != tail.end() && *next_in_tail < name; ++next_in_tail) visit(*next_in_tail);
      if (next_in_tail != tail.end() && *next_in_tail == name) ++next_in_tail;
      visit(name);
    }
    if (page->empty()) break;
    after = page->back();
  }
  for (; next_in_tail != tail.end(); ++next_in_tail) visit(*next_in_tail);
  return {};
}

Stored<> EmbeddedStore::project(const Projection& projection) {
  const auto done = write(Sync::no, [&]() -> Stored<> {
    if (auto put = execution_table::put(*writer_, projection.executions); !put) return put;
    for (const std::string& id : projection.deleted) {
      if (auto gone = forget(id); !gone) return gone;
    }
    if (auto put = row_tables::put_dead_letters(*writer_, projection.dead_letters); !put) return put;
    for (const ShardPosition& position : projection.positions) {
      if (auto put = meta_table::put_position(*writer_, position); !put) return put;
    }
    return {};
  });
  if (done) journal_->forget(projection.deleted);
  return done;
}

Stored<> EmbeddedStore::forget(const std::string& id) {
  if (auto gone = execution_table::erase(*writer_, id); !gone) return gone;
  if (auto gone = row_tables::erase_instance(*writer_, id); !gone) return gone;
  if (auto gone = History::erase(*writer_, id); !gone) return gone;
  const std::vector<TailRecord> tail = journal_->records(id);
  if (tail.empty()) return {};
  const FrameHead& last = tail.back().frame->head;
  return meta_table::put_deleted(*writer_, id, {.shard = last.shard, .seq = last.last_seq});
}

Stored<Store::Swept> EmbeddedStore::sweep_blobs(Instant before,
                                                const std::function<bool(std::string_view hash)>& keep) {
  Swept swept;
  std::string after;
  while (true) {
    auto page = [&] {
      const Lock lock(reader_->mutex());
      return row_tables::old_blobs(*reader_, before, after);
    }();
    if (!page) return std::unexpected(page.error());
    if (page->empty()) return swept;
    after = page->back();
    std::erase_if(*page, [&](const std::string& hash) { return keep(hash); });
    const auto erased = write(Sync::yes, [&]() -> Stored<> {
      for (const std::string& hash : *page) {
        const auto size = row_tables::erase_blob(*writer_, hash, before);
        if (!size) return std::unexpected(size.error());
        swept.blobs += *size ? 1 : 0;
        swept.bytes += size->value_or(0);
      }
      return {};
    });
    if (!erased) return std::unexpected(erased.error());
  }
}

// Makes sure that there is a directory that is, or may become, a store.
Stored<> prepare_directory(const std::string& directory, bool create) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found) {
    if (!create) return refuse(fmt::format("there is no store '{}'", directory));
    if (auto made = make_directory(directory); !made) return made;
    return sync_directory(fs::absolute(directory, error).parent_path().string());
  }
  if (error) return std::unexpected(file_error("open", directory, error.value()));
  if (status.type() != fs::file_type::directory) return refuse(fmt::format("'{}' is no directory", directory));
  if (fs::exists(directory + "/stepwell.db", error)) return {};
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().filename() == "lock") continue;
    return refuse(
        fmt::format("'{}' is no store: it has '{}' and no stepwell.db", directory, entry.path().filename().string()));
  }
  if (error) return std::unexpected(file_error("read", directory, error.value()));
  if (!create) return refuse(fmt::format("'{}' is empty: there is no store in it", directory));
  return {};
}

}  // namespace

Stored<std::unique_ptr<Store>> open_embedded_store(const std::string& directory, const EmbeddedOptions& options) {
  if (auto ready = prepare_directory(directory, options.create); !ready) return std::unexpected(ready.error());
  auto lock = DirectoryLock::take(directory);
  if (!lock) return std::unexpected(lock.error());
  const std::string database = directory + "/stepwell.db";
  auto writer = Connection::open(database, Connection::Mode::create);
  if (!writer) return std::unexpected(writer.error());
  if (auto current = migrate(**writer, migrations()); !current) return std::unexpected(current.error());
  auto reader = Connection::open(database, Connection::Mode::read);
  if (!reader) return std::unexpected(reader.error());
  const auto known = meta_table::journal(**writer);
  if (!known) return std::unexpected(known.error());
  const auto deleted = meta_table::deleted(**writer);
  if (!deleted) return std::unexpected(deleted.error());
  auto journal = Journal::open(directory + "/journal", *known, options.journal,
                               [&](std::string_view instance, const FrameHead& frame) {
                                 const auto gone = deleted->find(instance);
                                 return gone == deleted->end() || frame.last_seq > gone->second.seq;
                               });
  if (!journal) return std::unexpected(journal.error());
  return std::make_unique<EmbeddedStore>(directory, std::move(*lock), std::move(*writer), std::move(*reader),
                                         std::move(*journal));
}

}  // namespace stepwell
