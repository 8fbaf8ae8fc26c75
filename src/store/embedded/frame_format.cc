#include "stepwell/store/embedded/frame_format.h"

#include <cstring>

#include "stepwell/base/crc32c.h"
#include "stepwell/store/little_endian.h"

namespace stepwell {
namespace {

// magic u32 | format u16 | flags u16 | shard u32 | payload length u32 | epoch u64 | first u64 | last u64 | write u64
// | previous 32 bytes | payload | crc u32
constexpr std::uint32_t kFrameMagic = 0x52465753;  // "SWFR"
constexpr std::uint16_t kFrameFormat = 1;
constexpr std::uint16_t kMore = 1;

bool begins_frame(std::string_view bytes) {
  return bytes.size() >= kFrameExtraBytes && get_number<std::uint32_t>(bytes, 0) == kFrameMagic;
}

std::uint16_t format_of(std::string_view bytes) { return get_number<std::uint16_t>(bytes, 4); }

bool is_whole(std::string_view bytes, std::uint64_t length) {
  return length <= bytes.size() && get_number<std::uint32_t>(bytes, length - 4) == crc32c(bytes.substr(0, length - 4));
}

}  // namespace

void append_frame(std::string& out, const FrameHead& head, std::string_view payload) {
  const std::size_t begin = out.size();
  put_number(out, kFrameMagic);
  put_number(out, kFrameFormat);
  put_number(out, static_cast<std::uint16_t>(head.more ? kMore : 0));
  put_number(out, head.shard);
  put_number(out, static_cast<std::uint32_t>(payload.size()));
  put_number(out, head.epoch);
  put_number(out, head.first_seq);
  put_number(out, head.last_seq);
  put_number(out, head.write);
  out.append(head.previous.view());
  out.append(payload);
  put_number(out, crc32c(std::string_view(out).substr(begin)));
}

std::optional<std::uint64_t> frame_length(std::string_view bytes) {
  if (!begins_frame(bytes)) return std::nullopt;
  return std::uint64_t{kFrameExtraBytes} + get_number<std::uint32_t>(bytes, 12);
}

std::uint64_t frame_write(std::string_view bytes) { return get_number<std::uint64_t>(bytes, 40); }

std::optional<FrameOnDisk> read_frame(std::string_view bytes) {
  const auto length = frame_length(bytes);
  if (!length || !is_whole(bytes, *length) || format_of(bytes) != kFrameFormat) return std::nullopt;
  const std::string_view covered = bytes.substr(0, *length - 4);
  FrameOnDisk frame{.head = {.shard = get_number<std::uint32_t>(bytes, 8),
                             .epoch = get_number<std::uint64_t>(bytes, 16),
                             .first_seq = get_number<std::uint64_t>(bytes, 24),
                             .last_seq = get_number<std::uint64_t>(bytes, 32),
                             .write = frame_write(bytes),
                             .more = (get_number<std::uint16_t>(bytes, 6) & kMore) != 0},
                    .payload = covered.substr(kFrameHeadBytes),
                    .length = *length};
  std::memcpy(frame.head.previous.bytes.data(), bytes.data() + 48, Sha256Digest::kSize);
  return frame;
}

bool is_newer_frame(std::string_view bytes) {
  const auto length = frame_length(bytes);
  return length && is_whole(bytes, *length) && format_of(bytes) > kFrameFormat;
}

}  // namespace stepwell
