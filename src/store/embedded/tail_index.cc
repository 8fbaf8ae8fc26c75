#include "stepwell/store/embedded/tail_index.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/base/crc32c.h"

namespace stepwell {
namespace {

StoreError damaged(const JournalSegment& segment, std::uint64_t offset, std::string_view what) {
  return {.kind = StoreError::Kind::corrupt, .message = fmt::format("'{}' at {}: {}", segment.path(), offset, what)};
}

}  // namespace

Stored<std::string> read_payload(const TailFrame& frame) {
  auto bytes = frame.segment->read(frame.offset, frame.length);
  if (!bytes) return bytes;
  const auto read = read_frame(*bytes);
  if (!read || sha256(*bytes) != frame.hash) {
    return std::unexpected(damaged(*frame.segment, frame.offset, "the frame is not what was written"));
  }
  return std::string(read->payload);
}

Stored<std::string> read_bytes(const TailRecord& record) {
  const JournalSegment& segment = *record.frame->segment;
  const std::uint64_t offset = record.frame->offset + record.offset;
  auto bytes = segment.read(offset, record.length);
  if (bytes && crc32c(*bytes) != record.checksum) {
    return std::unexpected(damaged(segment, offset, "the record is not what was written"));
  }
  return bytes;
}

void TailIndex::add(const TailFramePtr& frame, std::string_view payload,
                    const std::function<bool(std::string_view instance)>& wanted) {
  const auto read =
      split_records(payload, [&](std::string_view bytes, std::string_view instance, std::uint64_t version) {
        if (wanted && !wanted(instance)) return;
        auto found = records_.find(instance);
        if (found == records_.end()) found = records_.emplace(instance, std::vector<TailRecord>()).first;
        const auto offset =
            static_cast<std::uint32_t>(kFrameHeadBytes + static_cast<std::size_t>(bytes.data() - payload.data()));
        found->second.push_back({.frame = frame,
                                 .version = version,
                                 .offset = offset,
                                 .length = static_cast<std::uint32_t>(bytes.size()),
                                 .checksum = crc32c(bytes)});
      });
  CHECK(read.has_value());
  frames_[frame->head.shard].push_back(frame);
  bytes_ += frame->length;
}

std::vector<TailFramePtr> TailIndex::frames(std::uint32_t shard) const {
  const auto found = frames_.find(shard);
  if (found == frames_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::vector<TailRecord> TailIndex::records(std::string_view instance) const {
  const auto found = records_.find(instance);
  return found == records_.end() ? std::vector<TailRecord>() : found->second;
}

std::vector<std::string> TailIndex::instances() const {
  std::vector<std::string> names;
  names.reserve(records_.size());
  for (const auto& [name, records] : records_) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

void TailIndex::drop_records(std::span<const std::string> instances, std::uint32_t shard, std::uint64_t through) {
  for (const std::string& instance : instances) {
    const auto found = records_.find(instance);
    if (found == records_.end()) continue;
    std::erase_if(found->second, [&](const TailRecord& record) {
      return record.frame->head.shard == shard && record.frame->head.last_seq <= through;
    });
    if (found->second.empty()) records_.erase(found);
  }
}

void TailIndex::drop_frames(std::uint32_t shard, std::uint64_t through) {
  std::deque<TailFramePtr>& frames = frames_[shard];
  while (!frames.empty() && frames.front()->head.last_seq <= through) {
    bytes_ -= frames.front()->length;
    frames.pop_front();
  }
}

void TailIndex::erase(std::string_view instance) {
  const auto found = records_.find(instance);
  if (found != records_.end()) records_.erase(found);
}

std::optional<std::uint64_t> TailIndex::oldest_write(std::uint32_t shard, std::uint64_t through) const {
  std::optional<std::uint64_t> oldest;
  for (const auto& [number, frames] : frames_) {
    const std::uint64_t dropped = number == shard ? through : 0;
    const auto first =
        std::ranges::find_if(frames, [&](const TailFramePtr& frame) { return frame->head.last_seq > dropped; });
    if (first != frames.end()) oldest = std::min(oldest.value_or((*first)->head.write), (*first)->head.write);
  }
  return oldest;
}

}  // namespace stepwell
