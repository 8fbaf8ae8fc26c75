#include "stepwell/store/embedded/checkpoint.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "stepwell/store/embedded/history.h"
#include "stepwell/store/embedded/meta_table.h"
#include "stepwell/store/embedded/row_tables.h"

namespace stepwell {
namespace {

using Lock = std::lock_guard<std::mutex>;

// The frames up to `through`; `invalid` if that is not the end of a durable one.
Stored<std::vector<TailFramePtr>> frames_through(Journal& journal, const ShardPosition& through) {
  const std::uint64_t last_seq = journal.last_seq(through.shard);
  std::vector<TailFramePtr> frames = journal.frames(through.shard);
  const std::uint64_t released = frames.empty() ? last_seq : frames.front()->head.first_seq - 1;
  std::erase_if(frames, [&](const TailFramePtr& frame) { return frame->head.last_seq > through.seq; });
  const std::uint64_t end = frames.empty() ? released : frames.back()->head.last_seq;
  if (through.seq == end || through.seq < released) return frames;
  return std::unexpected(StoreError{
      .kind = StoreError::Kind::invalid,
      .message = fmt::format("no durable frame of shard {} ends with record {}", through.shard, through.seq)});
}

Stored<std::vector<HistoryBlock>> blocks_of(const std::vector<TailFramePtr>& frames) {
  HistoryBuilder builder;
  for (const TailFramePtr& frame : frames) {
    const auto payload = read_payload(*frame);
    if (!payload) return std::unexpected(payload.error());
    if (auto added = builder.add(*payload); !added) {
      return std::unexpected(StoreError{.kind = StoreError::Kind::corrupt, .message = added.error()});
    }
  }
  return builder.finish();
}

std::vector<std::string> instances_of(const std::vector<HistoryBlock>& blocks) {
  std::vector<std::string> names;
  for (const HistoryBlock& block : blocks) {
    for (const HistoryBlock::Chunk& chunk : block.chunks) names.push_back(chunk.instance);
  }
  return names;
}

}  // namespace

Stored<> write_checkpoint(Journal& journal, Connection& writer, const CheckpointRequest& request) {
  const auto frames = frames_through(journal, request.through);
  if (!frames) return std::unexpected(frames.error());
  const auto blocks = blocks_of(*frames);
  if (!blocks) return std::unexpected(blocks.error());
  const std::uint64_t needed_from = journal.needed_from(request.through.shard, request.through.seq);
  const auto transaction = [&]() -> Stored<> {
    if (auto put = row_tables::put_snapshots(writer, request.snapshots); !put) return put;
    if (frames->empty()) return {};
    const auto deleted = meta_table::deleted(writer);
    if (!deleted) return std::unexpected(deleted.error());
    const auto wanted = [&](std::string_view instance) { return !deleted->contains(instance); };
    if (auto added = History::add(writer, *blocks, wanted); !added) return added;
    if (auto cleared = meta_table::clear_deleted(writer, request.through); !cleared) return cleared;
    return meta_table::put_released(writer, request.through, frames->back()->hash, needed_from);
  };
  {
    const Lock lock(writer.mutex());
    if (auto done = writer.transaction(Connection::Sync::yes, transaction); !done) return done;
  }
  if (!frames->empty()) journal.release(request.through.shard, request.through.seq, instances_of(*blocks));
  return {};
}

}  // namespace stepwell
