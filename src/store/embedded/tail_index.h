#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stepwell/store/embedded/frame_format.h"
#include "stepwell/store/embedded/segment.h"

namespace stepwell {

// Where a frame is that no checkpoint has taken in. Who holds one keeps its segment from being used anew.
struct TailFrame {
  std::shared_ptr<const JournalSegment> segment = {};
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  FrameHead head = {};
  Sha256Digest hash = {};
};
using TailFramePtr = std::shared_ptr<const TailFrame>;

// Where a record is, inside of such a frame.
struct TailRecord {
  TailFramePtr frame = {};
  std::uint64_t version = 0;
  std::uint32_t offset = 0;  // from the beginning of the frame
  std::uint32_t length = 0;
  std::uint32_t checksum = 0;
};

// Read and checked again; `corrupt` names file and offset.
Stored<std::string> read_payload(const TailFrame& frame);
Stored<std::string> read_bytes(const TailRecord& record);

// What the tail of the journal holds: its frames by shard, and where the records of each instance are. It is as large
// as the tail has records, so checkpoints bound it. Not synchronised.
class TailIndex {
 public:
  // `wanted` may leave out the records of an instance, because it was deleted.
  void add(const TailFramePtr& frame, std::string_view payload,
           const std::function<bool(std::string_view instance)>& wanted = {});

  std::vector<TailFramePtr> frames(std::uint32_t shard) const;
  std::vector<TailRecord> records(std::string_view instance) const;
  std::vector<std::string> instances() const;  // in order

  // A checkpoint has taken in the frames of a shard up to `through`. First their records are dropped, of some instances
  // at a time so that nobody waits for long, then the frames.
  void drop_records(std::span<const std::string> instances, std::uint32_t shard, std::uint64_t through);
  void drop_frames(std::uint32_t shard, std::uint64_t through);
  void erase(std::string_view instance);

  // The append of the oldest frame, not counting those of a shard up to `through`; nothing if there is none.
  std::optional<std::uint64_t> oldest_write(std::uint32_t shard, std::uint64_t through) const;
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  std::map<std::uint32_t, std::deque<TailFramePtr>> frames_;
  std::unordered_map<std::string, std::vector<TailRecord>, Hash, std::equal_to<>> records_;
  std::uint64_t bytes_ = 0;
};

}  // namespace stepwell
