#include "stepwell/store/embedded/schema.h"

#include <array>
#include <string>

#include <fmt/format.h>

namespace stepwell {
namespace {

// Rows of executions are numbered as they come, so that new ones lie side by side whatever their ids are. Indices with
// a condition hold only what is looked for by them.
constexpr Migration kFirst = R"(
create table executions (
  arrival integer primary key,
  id text not null unique,
  shard integer not null,
  playbook text not null,
  playbook_version integer not null,
  definition_hash text not null,
  reference text not null,
  parent text not null,
  status text not null,
  wait text not null,
  awake integer not null,
  wake_at integer,
  error text not null,
  labels text not null,
  started_at integer not null,
  ended_at integer,
  version integer not null
);
create index executions_by_start on executions (started_at);
create index executions_by_status on executions (status, started_at);
create index executions_by_playbook on executions (playbook, started_at);
create index executions_by_reference on executions (reference, started_at) where reference <> '';
create index executions_by_parent on executions (parent, started_at) where parent <> '';
create index executions_due on executions (shard, wake_at) where wake_at is not null and ended_at is null;
create index executions_awake on executions (shard, id) where awake;

create table snapshots (
  instance text primary key,
  version integer not null,
  compressed integer not null,
  bytes blob not null
);

create table history_blocks (
  block integer primary key autoincrement,
  bytes blob not null
);
create table history_uses (
  block integer primary key,
  chunks integer not null
);
create table history (
  instance text not null,
  first_version integer not null,
  last_version integer not null,
  block integer not null,
  offset integer not null,
  primary key (instance, first_version)
) without rowid;

create table deleted (
  instance text primary key,
  shard integer not null,
  seq integer not null
) without rowid;

create table definitions (
  kind text not null,
  name text not null,
  version integer not null,
  hash text not null,
  canonical blob not null,
  source blob not null,
  registered_at integer not null,
  primary key (kind, name, version)
);

create table blobs (
  hash blob primary key,
  size integer not null,
  compressed integer not null,
  put_at integer not null,
  bytes blob not null
);

create table artifacts (
  execution text not null,
  name text not null,
  type text not null,
  blob text not null,
  size integer not null,
  primary key (execution, name)
) without rowid;

create table dead_letters (
  letter integer primary key,
  at integer not null,
  sender text not null,
  recipient text not null,
  kind text not null,
  content text not null,
  reason text not null
);

create table positions (
  shard integer primary key,
  seq integer not null
);

create table shards (
  shard integer primary key,
  epoch integer not null,
  released_seq integer not null,
  released_hash blob not null
);

insert into meta values ('needed_from', 1), ('acknowledged', 0);
insert into meta values ('store_id', randomblob(16));
)";

constexpr std::array kSteps{kFirst};

Stored<std::size_t> version_of(Connection& connection) {
  Query query(connection, "select value from meta where key = 'schema_version'");
  const auto row = query.next();
  if (!row) return std::unexpected(row.error());
  return *row ? static_cast<std::size_t>(query.integer(0)) : 0;
}

Stored<> migrate_once(Connection& connection, std::size_t to, Migration statements) {
  return connection.transaction(Connection::Sync::yes, [&]() -> Stored<> {
    if (auto done = connection.run(statements); !done) return done;
    Query query(connection, "insert or replace into meta values ('schema_version', ?)");
    return query.bind(static_cast<std::uint64_t>(to)).run();
  });
}

}  // namespace

std::span<const Migration> migrations() { return kSteps; }

Stored<> migrate(Connection& connection, std::span<const Migration> steps) {
  if (auto made = connection.run("create table if not exists meta (key text primary key, value) without rowid");
      !made) {
    return made;
  }
  const auto version = version_of(connection);
  if (!version) return std::unexpected(version.error());
  if (*version > steps.size()) {
    return std::unexpected(StoreError{
        .kind = StoreError::Kind::invalid,
        .message = fmt::format("the store has version {} of the database, this stepwell knows {}; use a later one",
                               *version, steps.size())});
  }
  for (std::size_t to = *version + 1; to <= steps.size(); ++to) {
    if (auto done = migrate_once(connection, to, steps[to - 1]); !done) return done;
  }
  return {};
}

}  // namespace stepwell
