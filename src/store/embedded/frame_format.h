#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/base/sha256.h"
#include "stepwell/store/record.h"

// The bytes of a frame in a segment (docs/formats/journal.md).
namespace stepwell {

// What a frame says besides what the runtime gave to it.
struct FrameHead {
  std::uint32_t shard = 0;
  std::uint64_t epoch = 0;
  std::uint64_t first_seq = 0;
  std::uint64_t last_seq = 0;
  std::uint64_t write = 0;     // the number of the append that wrote it: one more than that of the append before
  bool more = false;           // another frame of the same append follows
  Sha256Digest previous = {};  // of the shard's frame before, zero for its first
};

struct FrameOnDisk {
  FrameHead head = {};
  std::string_view payload = {};  // borrows from what was read
  std::size_t length = 0;         // of all its bytes
};

inline constexpr std::size_t kFrameHeadBytes = 80;
inline constexpr std::size_t kFrameExtraBytes = kFrameHeadBytes + 4;

void append_frame(std::string& out, const FrameHead& head, std::string_view payload);

// How many bytes the frame that begins here says to have; nothing if none begins here.
std::optional<std::uint64_t> frame_length(std::string_view bytes);
// The number of the append that is said to have written it; needs kFrameHeadBytes.
std::uint64_t frame_write(std::string_view bytes);
// The frame that begins here, if it is one and whole: its checksum fits. Whether it belongs here is for the caller.
std::optional<FrameOnDisk> read_frame(std::string_view bytes);

// True for a whole frame that a later version of the program has written: its checksum is where ours is.
bool is_newer_frame(std::string_view bytes);

}  // namespace stepwell
