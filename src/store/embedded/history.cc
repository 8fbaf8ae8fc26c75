#include "stepwell/store/embedded/history.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/store/embedded/compression.h"

namespace stepwell {
namespace {

using Lock = std::lock_guard<std::mutex>;

// Large enough to compress well, small enough to be read for one instance.
constexpr std::size_t kBlockGoal = 128u << 10;
constexpr std::size_t kOpenBytes = 8u << 20;
constexpr std::size_t kLargestBlock = std::size_t{1} << 32;
constexpr std::size_t kCachedBlocks = 8;

StoreError damaged(std::string_view instance, std::int64_t block, std::string_view what) {
  return {.kind = StoreError::Kind::corrupt,
          .message = fmt::format("history of '{}', block {}: {}", instance, block, what)};
}

}  // namespace

std::expected<void, std::string> HistoryBuilder::add(std::string_view payload) {
  auto read = read_records(payload, [&](const Record& record, const RecordHash& hash) {
    auto found = open_.find(record.instance);
    if (found == open_.end()) found = open_.emplace(record.instance, HistoryChunkWriter()).first;
    found->second.add(record, hash);
  });
  open_bytes_ += payload.size();
  if (open_bytes_ >= kOpenBytes) flush();
  return read;
}

std::vector<HistoryBlock> HistoryBuilder::finish() {
  flush();
  return std::move(blocks_);
}

void HistoryBuilder::flush() {
  std::string raw;
  HistoryBlock block;
  const auto close = [&] {
    if (block.chunks.empty()) return;
    block.bytes = compress(raw);
    blocks_.push_back(std::exchange(block, {}));
    raw.clear();
  };
  for (const auto& [instance, chunk] : open_) {
    block.chunks.push_back({.instance = instance,
                            .first_version = chunk.first_version(),
                            .last_version = chunk.last_version(),
                            .offset = raw.size()});
    chunk.finish(raw);
    if (raw.size() >= kBlockGoal) close();
  }
  close();
  open_.clear();
  open_bytes_ = 0;
}

Stored<> History::add(Connection& writer, const std::vector<HistoryBlock>& blocks,
                      const std::function<bool(std::string_view instance)>& wanted) {
  Query insert_block(writer, "insert into history_blocks (bytes) values (?) returning block");
  Query insert_uses(writer, "insert into history_uses values (?, ?)");
  Query insert_chunk(writer, "insert into history values (?, ?, ?, ?, ?)");
  for (const HistoryBlock& block : blocks) {
    const auto uses = static_cast<std::uint64_t>(
        std::ranges::count_if(block.chunks, [&](const HistoryBlock::Chunk& chunk) { return wanted(chunk.instance); }));
    if (uses == 0) continue;
    const auto row = insert_block.bind(Bytes{block.bytes}).next();
    if (!row) return std::unexpected(row.error());
    const std::int64_t number = insert_block.integer(0);
    if (auto done = insert_block.run(); !done) return done;
    if (auto done = insert_uses.bind(number, uses).run(); !done) return done;
    for (const HistoryBlock::Chunk& chunk : block.chunks) {
      if (!wanted(chunk.instance)) continue;
      insert_chunk.bind(chunk.instance, chunk.first_version, chunk.last_version, number, chunk.offset);
      if (auto done = insert_chunk.run(); !done) return done;
    }
  }
  return {};
}

Stored<> History::erase(Connection& writer, std::string_view instance) {
  // A block is deleted with the last chunk in it that anyone needs.
  for (const char* statement :
       {"update history_uses set chunks = chunks - (select count(*) from history h where h.instance = ?1 and h.block = "
        "history_uses.block) where block in (select block from history where instance = ?1)",
        "delete from history_blocks where block in (select u.block from history_uses u join history h using (block) "
        "where h.instance = ?1 and u.chunks = 0)",
        "delete from history_uses where chunks = 0 and block in (select block from history where instance = ?1)",
        "delete from history where instance = ?1"}) {
    Query query(writer, statement);
    if (auto done = query.bind(instance).run(); !done) return done;
  }
  return {};
}

Stored<std::uint64_t> History::read(std::string_view instance, std::uint64_t after,
                                    const std::function<void(const Record&, const RecordHash&)>& visit) {
  const auto chunks = places(instance, after);
  if (!chunks) return std::unexpected(chunks.error());
  std::uint64_t last = after;
  for (const Place& place : *chunks) {
    const auto block = load(place.block);
    if (!block) return std::unexpected(block.error());
    if (!*block) return std::unexpected(damaged(instance, place.block, "the block is missing or damaged"));
    last = place.last_version;
    std::uint64_t version = 0;
    const auto read = read_chunk(**block, place.offset, instance, [&](const Record& record, const RecordHash& hash) {
      version = record.version;
      if (record.version > after) visit(record, hash);
    });
    if (!read) return std::unexpected(damaged(instance, place.block, read.error()));
    if (version != last) return std::unexpected(damaged(instance, place.block, "the chunk is another one"));
  }
  return last;
}

Stored<std::vector<std::string>> History::instances(std::string_view after) {
  const Lock lock(reader_.mutex());
  Query query(reader_, "select distinct instance from history where instance > ? order by instance limit 1000");
  query.bind(after);
  std::vector<std::string> names;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return names;
    names.push_back(query.text(0));
  }
}

Stored<std::vector<History::Place>> History::places(std::string_view instance, std::uint64_t after) {
  const Lock lock(reader_.mutex());
  Query query(reader_,
              "select last_version, block, offset from history where instance = ? and last_version > ? "
              "order by first_version");
  query.bind(instance, after);
  std::vector<Place> found;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return found;
    found.push_back({.last_version = static_cast<std::uint64_t>(query.integer(0)),
                     .block = query.integer(1),
                     .offset = static_cast<std::uint64_t>(query.integer(2))});
  }
}

Stored<History::Block> History::load(std::int64_t block) {
  {
    const Lock lock(cache_mutex_);
    const auto cached = std::ranges::find(cache_, block, &std::pair<std::int64_t, Block>::first);
    if (cached != cache_.end()) return cached->second;
  }
  std::string packed;
  {
    const Lock lock(reader_.mutex());
    Query query(reader_, "select bytes from history_blocks where block = ?");
    const auto row = query.bind(block).next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return nullptr;
    packed = query.text(0);
  }
  auto raw = decompress(packed, kLargestBlock);
  if (!raw) return nullptr;
  auto loaded = std::make_shared<const std::string>(std::move(*raw));
  const Lock lock(cache_mutex_);
  if (cache_.size() >= kCachedBlocks) cache_.erase(cache_.begin());
  cache_.emplace_back(block, loaded);
  return loaded;
}

}  // namespace stepwell
