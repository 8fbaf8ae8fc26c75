#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "stepwell/store/embedded/segment.h"

namespace stepwell {

// Reads a segment from front to back in large pieces.
class SegmentWindow {
 public:
  explicit SegmentWindow(const JournalSegment& segment) : segment_(segment) {}

  const JournalSegment& segment() const { return segment_; }

  // The bytes from `offset` on: as many as are asked for, fewer only at the end of the file. Valid until the next call.
  Stored<std::string_view> view(std::uint64_t offset, std::size_t length) {
    if (offset >= segment_.bytes()) return std::string_view();
    length = static_cast<std::size_t>(std::min<std::uint64_t>(length, segment_.bytes() - offset));
    if (offset < begin_ || offset + length > begin_ + bytes_.size()) {
      const std::uint64_t wanted = std::max<std::uint64_t>(length, kPiece);
      auto read = segment_.read(offset, static_cast<std::size_t>(std::min(wanted, segment_.bytes() - offset)));
      if (!read) return std::unexpected(read.error());
      bytes_ = std::move(*read);
      begin_ = offset;
    }
    return std::string_view(bytes_).substr(offset - begin_, length);
  }

 private:
  static constexpr std::size_t kPiece = 256u << 10;
  const JournalSegment& segment_;
  std::string bytes_;
  std::uint64_t begin_ = 0;
};

}  // namespace stepwell
