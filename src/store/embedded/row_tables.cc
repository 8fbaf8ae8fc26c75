#include "stepwell/store/embedded/row_tables.h"

#include <fmt/format.h>

#include "stepwell/base/hex.h"
#include "stepwell/base/sha256.h"
#include "stepwell/store/embedded/compression.h"

namespace stepwell::row_tables {
namespace {

StoreError damaged(std::string_view what, std::string_view name) {
  return {.kind = StoreError::Kind::corrupt, .message = fmt::format("{} '{}' is not what was put", what, name)};
}

}  // namespace

Stored<> put_definition(Connection& connection, const DefinitionRow& definition) {
  Query find(connection, "select canonical from definitions where kind = ? and name = ? and version = ?");
  const auto row = find.bind(definition.kind, definition.name, definition.version).next();
  if (!row) return std::unexpected(row.error());
  if (*row) {
    if (find.bytes(0) == definition.canonical) return {};
    return std::unexpected(StoreError{.kind = StoreError::Kind::invalid,
                                      .message = fmt::format("{} '{}' version {} is there with other content",
                                                             definition.kind, definition.name, definition.version)});
  }
  Query insert(connection, "insert into definitions values (?, ?, ?, ?, ?, ?, ?)");
  return insert
      .bind(definition.kind, definition.name, definition.version, definition.hash, Bytes{definition.canonical},
            Bytes{definition.source}, definition.registered_at)
      .run();
}

Stored<std::vector<DefinitionRow>> definitions(Connection& connection) {
  Query query(connection,
              "select kind, name, version, hash, canonical, source, registered_at from definitions "
              "order by kind, name, version");
  std::vector<DefinitionRow> rows;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return rows;
    rows.push_back({.kind = query.text(0),
                    .name = query.text(1),
                    .version = query.integer(2),
                    .hash = query.text(3),
                    .canonical = query.text(4),
                    .source = query.text(5),
                    .registered_at = query.instant(6)});
  }
}

Stored<> put_blob(Connection& connection, std::string_view content, Instant at) {
  const Sha256Digest hash = sha256(content);
  Query again(connection, "update blobs set put_at = max(put_at, ?) where hash = ?");
  if (auto done = again.bind(at, Bytes{hash.view()}).run(); !done) return done;
  if (connection.changes() > 0) return {};
  const Packed packed = pack(content);
  Query insert(connection, "insert into blobs values (?, ?, ?, ?, ?)");
  return insert
      .bind(Bytes{hash.view()}, static_cast<std::uint64_t>(content.size()), packed.compressed, at, Bytes{packed.bytes})
      .run();
}

Stored<std::optional<std::string>> find_blob(Connection& connection, std::string_view hash) {
  const auto key = from_hex(hash);
  if (!key) return std::nullopt;
  Query query(connection, "select compressed, bytes from blobs where hash = ?");
  const auto row = query.bind(Bytes{*key}).next();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  auto content = unpack(query.integer(0) != 0, query.bytes(1));
  if (!content || sha256(*content).view() != *key) return std::unexpected(damaged("blob", hash));
  return content;
}

Stored<std::vector<std::string>> old_blobs(Connection& connection, Instant before, std::string_view after) {
  Query query(connection, "select hash from blobs where hash > ? and put_at < ? order by hash limit 1000");
  const std::string key = from_hex(after).value_or("");
  query.bind(Bytes{key}, before);
  std::vector<std::string> hashes;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return hashes;
    hashes.push_back(to_hex(query.bytes(0)));
  }
}

Stored<std::optional<std::uint64_t>> erase_blob(Connection& connection, std::string_view hash, Instant before) {
  const std::string key = from_hex(hash).value_or("");
  Query query(connection, "delete from blobs where hash = ? and put_at < ? returning size");
  const auto row = query.bind(Bytes{key}, before).next();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(query.integer(0));
  if (auto done = query.run(); !done) return std::unexpected(done.error());
  return size;
}

Stored<> put_artifact(Connection& connection, const ArtifactRow& artifact) {
  Query query(connection, "insert or replace into artifacts values (?, ?, ?, ?, ?)");
  return query.bind(artifact.execution, artifact.name, artifact.type, artifact.blob, artifact.size).run();
}

Stored<std::optional<ArtifactRow>> find_artifact(Connection& connection, std::string_view execution,
                                                 std::string_view name) {
  Query query(connection, "select type, blob, size from artifacts where execution = ? and name = ?");
  const auto row = query.bind(execution, name).next();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  return ArtifactRow{.execution = std::string(execution),
                     .name = std::string(name),
                     .type = query.text(0),
                     .blob = query.text(1),
                     .size = static_cast<std::uint64_t>(query.integer(2))};
}

Stored<> each_artifact(Connection& connection, const std::function<void(const ArtifactRow&)>& visit) {
  Query query(connection, "select execution, name, type, blob, size from artifacts order by execution, name");
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    visit({.execution = query.text(0),
           .name = query.text(1),
           .type = query.text(2),
           .blob = query.text(3),
           .size = static_cast<std::uint64_t>(query.integer(4))});
  }
}

Stored<> put_snapshots(Connection& connection, std::span<const SnapshotRow> snapshots) {
  Query query(connection,
              "insert into snapshots values (?, ?, ?, ?) on conflict (instance) do update set "
              "version = excluded.version, compressed = excluded.compressed, bytes = excluded.bytes "
              "where excluded.version >= version");
  for (const SnapshotRow& snapshot : snapshots) {
    const Packed packed = pack(snapshot.bytes);
    query.bind(snapshot.instance, snapshot.version, packed.compressed, Bytes{packed.bytes});
    if (auto done = query.run(); !done) return done;
  }
  return {};
}

Stored<std::optional<SnapshotRow>> find_snapshot(Connection& connection, std::string_view instance) {
  Query query(connection, "select version, compressed, bytes from snapshots where instance = ?");
  const auto row = query.bind(instance).next();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  auto bytes = unpack(query.integer(1) != 0, query.bytes(2));
  if (!bytes) return std::unexpected(damaged("snapshot", instance));
  return SnapshotRow{.instance = std::string(instance),
                     .version = static_cast<std::uint64_t>(query.integer(0)),
                     .bytes = std::move(*bytes)};
}

Stored<> erase_instance(Connection& connection, std::string_view instance) {
  Query snapshot(connection, "delete from snapshots where instance = ?");
  if (auto done = snapshot.bind(instance).run(); !done) return done;
  return Query(connection, "delete from artifacts where execution = ?").bind(instance).run();
}

Stored<> put_dead_letters(Connection& connection, std::span<const DeadLetterRow> letters) {
  Query query(connection,
              "insert into dead_letters (at, sender, recipient, kind, content, reason) values (?, ?, ?, ?, ?, ?)");
  for (const DeadLetterRow& letter : letters) {
    query.bind(letter.at, letter.from, letter.to, letter.kind, letter.content, letter.reason);
    if (auto done = query.run(); !done) return done;
  }
  return {};
}

Stored<std::vector<DeadLetterRow>> dead_letters(Connection& connection, std::uint32_t limit) {
  Query query(connection,
              "select at, sender, recipient, kind, content, reason from dead_letters order by letter desc limit ?");
  query.bind(limit);
  std::vector<DeadLetterRow> letters;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return letters;
    letters.push_back({.at = query.instant(0),
                       .from = query.text(1),
                       .to = query.text(2),
                       .kind = query.text(3),
                       .content = query.text(4),
                       .reason = query.text(5)});
  }
}

}  // namespace stepwell::row_tables
