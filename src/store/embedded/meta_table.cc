#include "stepwell/store/embedded/meta_table.h"

#include <algorithm>
#include <cstring>

namespace stepwell::meta_table {
namespace {

template <typename Bytes>
void copy_bytes(Bytes& to, std::string_view from) {
  std::memcpy(to.data(), from.data(), std::min(to.size(), from.size()));
}

Stored<std::string> meta_bytes(Connection& connection, std::string_view key) {
  Query query(connection, "select value from meta where key = ?");
  const auto row = query.bind(key).next();
  if (!row) return std::unexpected(row.error());
  return *row ? query.text(0) : std::string();
}

Stored<std::uint64_t> meta_number(Connection& connection, std::string_view key) {
  Query query(connection, "select value from meta where key = ?");
  const auto row = query.bind(key).next();
  if (!row) return std::unexpected(row.error());
  return *row ? static_cast<std::uint64_t>(query.integer(0)) : 0;
}

Stored<> put_meta(Connection& connection, std::string_view key, std::uint64_t value) {
  return Query(connection, "insert or replace into meta values (?, ?)").bind(key, value).run();
}

Stored<> read_shards(Connection& connection, KnownJournal& known) {
  Query query(connection,
              "select s.shard, s.epoch, s.released_seq, s.released_hash, coalesce(p.seq, 0) "
              "from shards s left join positions p using (shard)");
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    KnownShard& shard = known.shards[static_cast<std::uint32_t>(query.integer(0))];
    shard.epoch = static_cast<std::uint64_t>(query.integer(1));
    shard.released_seq = static_cast<std::uint64_t>(query.integer(2));
    copy_bytes(shard.released_hash.bytes, query.bytes(3));
    shard.projected_seq = static_cast<std::uint64_t>(query.integer(4));
  }
}

}  // namespace

Stored<KnownJournal> journal(Connection& connection) {
  KnownJournal known;
  const auto id = meta_bytes(connection, "store_id");
  const auto needed_from = meta_number(connection, "needed_from");
  const auto acknowledged = meta_number(connection, "acknowledged");
  if (!id) return std::unexpected(id.error());
  if (!needed_from) return std::unexpected(needed_from.error());
  if (!acknowledged) return std::unexpected(acknowledged.error());
  copy_bytes(known.store, *id);
  known.needed_from = *needed_from;
  known.acknowledged = *acknowledged;
  if (auto read = read_shards(connection, known); !read) return std::unexpected(read.error());
  return known;
}

Stored<std::uint32_t> fix_shards(Connection& connection, std::uint32_t wanted) {
  const auto kept = meta_number(connection, "shards");
  if (!kept) return std::unexpected(kept.error());
  if (*kept != 0) return static_cast<std::uint32_t>(*kept);
  Query query(connection, "select count(*) from shards");
  const auto row = query.next();
  if (!row) return std::unexpected(row.error());
  const auto taken = static_cast<std::uint32_t>(query.integer(0));
  const std::uint32_t fixed = taken == 0 ? wanted : taken;
  if (auto put = put_meta(connection, "shards", fixed); !put) return std::unexpected(put.error());
  return fixed;
}

Stored<> put_epoch(Connection& connection, std::uint32_t shard, std::uint64_t epoch) {
  const Sha256Digest none;
  Query query(connection,
              "insert into shards values (?, ?, 0, ?) on conflict (shard) do update set epoch = excluded.epoch");
  return query.bind(shard, epoch, Bytes{none.view()}).run();
}

Stored<> put_released(Connection& connection, const ShardPosition& through, const Sha256Digest& hash,
                      std::uint64_t needed_from) {
  Query query(connection, "update shards set released_seq = ?, released_hash = ? where shard = ?");
  if (auto done = query.bind(through.seq, Bytes{hash.view()}, through.shard).run(); !done) return done;
  return put_meta(connection, "needed_from", needed_from);
}

Stored<> put_acknowledged(Connection& connection, std::uint64_t write) {
  return put_meta(connection, "acknowledged", write);
}

Stored<> put_position(Connection& connection, const ShardPosition& position) {
  return Query(connection, "insert or replace into positions values (?, ?)").bind(position.shard, position.seq).run();
}

Stored<std::vector<ShardPosition>> positions(Connection& connection) {
  Query query(connection, "select shard, seq from positions order by shard");
  std::vector<ShardPosition> found;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return found;
    found.push_back(
        {.shard = static_cast<std::uint32_t>(query.integer(0)), .seq = static_cast<std::uint64_t>(query.integer(1))});
  }
}

Stored<Deleted> deleted(Connection& connection) {
  Query query(connection, "select instance, shard, seq from deleted");
  Deleted found;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return found;
    found[query.text(0)] = {.shard = static_cast<std::uint32_t>(query.integer(1)),
                            .seq = static_cast<std::uint64_t>(query.integer(2))};
  }
}

Stored<> put_deleted(Connection& connection, std::string_view instance, const ShardPosition& through) {
  return Query(connection, "insert or replace into deleted values (?, ?, ?)")
      .bind(instance, through.shard, through.seq)
      .run();
}

Stored<> clear_deleted(Connection& connection, const ShardPosition& through) {
  return Query(connection, "delete from deleted where shard = ? and seq <= ?").bind(through.shard, through.seq).run();
}

}  // namespace stepwell::meta_table
