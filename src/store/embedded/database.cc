#include "stepwell/store/embedded/database.h"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "stepwell/base/check.h"

namespace stepwell {
namespace {

constexpr int kPageBytes = 4096;
constexpr int kWalFrameBytes = kPageBytes + 24;
// When so many pages wait in the write-ahead log, they are moved to the database. Many, because a page that changed
// often is moved once.
constexpr int kWalPages = 4000;

StoreError::Kind kind_of(int code) {
  switch (code & 0xFF) {
    case SQLITE_FULL: return StoreError::Kind::full;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return StoreError::Kind::corrupt;
    default: return StoreError::Kind::failed;
  }
}

}  // namespace

struct Connection::Statement {
  sqlite3_stmt* handle = nullptr;

  explicit Statement(sqlite3_stmt* prepared) : handle(prepared) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(handle); }
};

struct Connection::Impl {
  std::string path = {};
  sqlite3* db = nullptr;
  std::map<std::string, Statement, std::less<>> statements = {};
  std::mutex mutex = {};
  bool syncing = false;
  int wal_pages = 0;    // in the write-ahead log
  int moved_pages = 0;  // of them, already in the database
  std::uint64_t written_bytes = 0;
  std::uint64_t syncs = 0;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    statements.clear();
    sqlite3_close(db);
  }

  StoreError error(int code) const {
    return {.kind = kind_of(code), .message = fmt::format("'{}': {}", path, sqlite3_errmsg(db))};
  }

  Stored<> run(const char* statements_text) {
    const int code = sqlite3_exec(db, statements_text, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return std::unexpected(error(code));
    return {};
  }

  // Called by SQLite after each commit.
  static int committed(void* self, sqlite3*, const char*, int pages) {
    Impl& impl = *static_cast<Impl*>(self);
    if (pages < impl.wal_pages) impl.wal_pages = impl.moved_pages = 0;  // the log was begun anew
    impl.written_bytes += static_cast<std::uint64_t>(pages - impl.wal_pages) * kWalFrameBytes;
    impl.wal_pages = pages;
    return SQLITE_OK;
  }

  // Not being able to is no harm: it is tried again after the next commit.
  void move_pages() {
    int in_log = 0;
    int moved = 0;
    if (wal_pages - moved_pages < kWalPages) return;
    if (sqlite3_wal_checkpoint_v2(db, nullptr, SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved) != SQLITE_OK) return;
    if (moved > moved_pages) written_bytes += static_cast<std::uint64_t>(moved - moved_pages) * kPageBytes;
    moved_pages = moved;
    syncs += 2;
  }
};

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::~Connection() = default;

Stored<std::unique_ptr<Connection>> Connection::open(const std::string& path, Mode mode) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  int flags = SQLITE_OPEN_NOMUTEX | (mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
  if (mode == Mode::create) flags |= SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &impl->db, flags, nullptr);
  if (code != SQLITE_OK) return std::unexpected(impl->error(code));
  sqlite3_extended_result_codes(impl->db, 1);
  sqlite3_busy_timeout(impl->db, 5'000);
  const char* settings = mode == Mode::read ? "pragma query_only = on; pragma foreign_keys = on"
                                            : "pragma page_size = 4096; pragma journal_mode = wal;"
                                              "pragma synchronous = normal; pragma foreign_keys = on";
  if (auto set = impl->run(settings); !set) return std::unexpected(set.error());
  if (mode != Mode::read) {
    sqlite3_wal_autocheckpoint(impl->db, 0);
    sqlite3_wal_hook(impl->db, &Impl::committed, impl.get());
  }
  return std::unique_ptr<Connection>(new Connection(std::move(impl)));
}

Stored<> Connection::run(const std::string& statements) { return impl_->run(statements.c_str()); }

std::uint64_t Connection::changes() { return static_cast<std::uint64_t>(sqlite3_changes64(impl_->db)); }

Stored<> Connection::transaction(Sync sync, const std::function<Stored<>()>& work) {
  const bool wanted = sync == Sync::yes;
  if (wanted != impl_->syncing) {
    if (auto set = Query(*this, wanted ? "pragma synchronous = full" : "pragma synchronous = normal").run(); !set) {
      return set;
    }
    impl_->syncing = wanted;
  }
  if (auto begun = Query(*this, "begin immediate").run(); !begun) return begun;
  auto done = work();
  if (done) done = Query(*this, "commit").run();
  if (!done) {
    // Some errors have rolled back already.
    if (sqlite3_get_autocommit(impl_->db) != 0) return done;
    if (auto back = impl_->run("rollback"); !back) done.error().message += "; nor could it be rolled back";
    return done;
  }
  impl_->syncs += wanted ? 1 : 0;
  impl_->move_pages();
  return {};
}

Stored<> Connection::copy_to(const std::string& path) {
  sqlite3* copy = nullptr;
  int code =
      sqlite3_open_v2(path.c_str(), &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_backup* const backup = sqlite3_backup_init(copy, "main", impl_->db, "main");
    if (backup != nullptr) sqlite3_backup_step(backup, -1);
    if (backup != nullptr) sqlite3_backup_finish(backup);
    code = sqlite3_errcode(copy);
  }
  const StoreError error{.kind = kind_of(code), .message = fmt::format("'{}': {}", path, sqlite3_errmsg(copy))};
  sqlite3_close(copy);
  if (code != SQLITE_OK) return std::unexpected(error);
  return {};
}

std::uint64_t Connection::written_bytes() const { return impl_->written_bytes; }
std::uint64_t Connection::syncs() const { return impl_->syncs; }
std::mutex& Connection::mutex() { return impl_->mutex; }

Query::Query(Connection& connection, std::string_view sql) : connection_(connection) {
  auto& statements = connection.impl_->statements;
  auto found = statements.find(sql);
  if (found == statements.end()) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v3(connection.impl_->db, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    if (code != SQLITE_OK) {
      error_ = connection.impl_->error(code);
      return;
    }
    found = statements.emplace(sql, made).first;
  }
  CHECK(sqlite3_stmt_busy(found->second.handle) == 0);
  statement_ = &found->second;
}

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_->handle);
  sqlite3_clear_bindings(statement_->handle);
}

Stored<bool> Query::next() {
  if (error_) return std::unexpected(*error_);
  const int code = sqlite3_step(statement_->handle);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(connection_.impl_->error(code));
}

Stored<> Query::run() {
  while (true) {
    const auto row = next();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
  }
  sqlite3_reset(statement_->handle);
  bound_ = 0;
  return {};
}

void Query::bind_one(std::int64_t number) {
  if (statement_ != nullptr) sqlite3_bind_int64(statement_->handle, ++bound_, number);
}

void Query::bind_one(std::string_view text) {
  if (statement_ == nullptr) return;
  sqlite3_bind_text64(statement_->handle, ++bound_, text.data() == nullptr ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

void Query::bind_one(Bytes bytes) {
  if (statement_ == nullptr) return;
  sqlite3_bind_blob64(statement_->handle, ++bound_, bytes.view.data() == nullptr ? "" : bytes.view.data(),
                      bytes.view.size(), SQLITE_STATIC);
}

void Query::bind_one(const std::optional<Instant>& instant) {
  if (instant) return bind_one(*instant);
  if (statement_ != nullptr) sqlite3_bind_null(statement_->handle, ++bound_);
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_->handle, column); }

std::string Query::text(int column) const { return std::string(bytes(column)); }

std::string_view Query::bytes(int column) const {
  const void* const data = sqlite3_column_blob(statement_->handle, column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(statement_->handle, column))};
}

bool Query::is_null(int column) const { return sqlite3_column_type(statement_->handle, column) == SQLITE_NULL; }

Instant Query::instant(int column) const { return Instant::from_micros(integer(column)).value_or(Instant()); }

std::optional<Instant> Query::optional_instant(int column) const {
  if (is_null(column)) return std::nullopt;
  return instant(column);
}

}  // namespace stepwell
