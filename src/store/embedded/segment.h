#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/store/embedded/aligned_buffer.h"
#include "stepwell/store/embedded/file.h"

namespace stepwell {

using StoreId = std::array<char, 16>;

// What the first block of a segment that is or was in use says.
struct SegmentHead {
  StoreId store = {};
  std::uint64_t number = 0;       // one more than that of the segment before
  std::uint64_t first_write = 0;  // the number of its first append
};

// A file of the journal: a block for its head, then appends, each from the beginning of a block on. Made full of zeros,
// so that an append changes no metadata of the file system; used again when what it holds is no longer needed.
// Reading is for any thread; use() and write() are for one at a time.
class JournalSegment {
 public:
  // Makes a file of that many bytes, durably, that is not in use. What a failure leaves is removed.
  static Stored<std::shared_ptr<JournalSegment>> make(const std::string& path, std::uint64_t bytes);
  // Opens a file that is there. `invalid` if a later version of the program wrote it.
  static Stored<std::shared_ptr<JournalSegment>> open(const std::string& path);

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }
  // Nothing if it was never used, or is damaged.
  const std::optional<SegmentHead>& head() const { return head_; }

  // Writes the head, durably, after which appends may be written. `direct` asks to go around the system's cache where
  // the file system allows that.
  Stored<> use(const SegmentHead& head, bool direct);
  // Opens a segment in use for further appends.
  Stored<> reuse(bool direct);
  // Durable when it answers. Offset and size are of whole blocks.
  Stored<> write(std::uint64_t offset, const AlignedBuffer& bytes);
  // Exactly that many bytes; `corrupt` if the file is shorter.
  Stored<std::string> read(std::uint64_t offset, std::size_t length) const;

 private:
  JournalSegment(std::string path, FileHandle reader, std::uint64_t bytes)
      : path_(std::move(path)), reader_(std::move(reader)), bytes_(bytes) {}
  Stored<> open_writer(bool direct);

  std::string path_;
  FileHandle reader_;
  FileHandle writer_;
  bool direct_ = false;
  std::uint64_t bytes_ = 0;
  std::optional<SegmentHead> head_;
};

}  // namespace stepwell
