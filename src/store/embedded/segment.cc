#include "stepwell/store/embedded/segment.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "stepwell/base/crc32c.h"
#include "stepwell/store/little_endian.h"

namespace stepwell {
namespace {

// magic 8 bytes | format u32 | store 16 bytes | number u64 | first write u64 | zeros | crc u32 of all before, at the
// end of the block
constexpr std::string_view kSegmentMagic = "STEPWELL";
constexpr std::uint32_t kSegmentFormat = 1;
constexpr std::size_t kChecked = kBlockBytes - 4;

std::string bytes_of(const SegmentHead& head) {
  std::string bytes(kSegmentMagic);
  put_number(bytes, kSegmentFormat);
  bytes.append(head.store.data(), head.store.size());
  put_number(bytes, head.number);
  put_number(bytes, head.first_write);
  bytes.resize(kChecked);
  put_number(bytes, crc32c(bytes));
  return bytes;
}

std::optional<SegmentHead> read_head(std::string_view bytes) {
  if (bytes.size() < kBlockBytes || !bytes.starts_with(kSegmentMagic)) return std::nullopt;
  if (get_number<std::uint32_t>(bytes, kChecked) != crc32c(bytes.substr(0, kChecked))) return std::nullopt;
  SegmentHead head{.number = get_number<std::uint64_t>(bytes, 28), .first_write = get_number<std::uint64_t>(bytes, 36)};
  std::memcpy(head.store.data(), bytes.data() + 12, head.store.size());
  return head;
}

bool is_newer(std::string_view bytes) {
  return bytes.size() >= kBlockBytes && bytes.starts_with(kSegmentMagic) &&
         get_number<std::uint32_t>(bytes, 8) > kSegmentFormat &&
         get_number<std::uint32_t>(bytes, kChecked) == crc32c(bytes.substr(0, kChecked));
}

Stored<> fill_with_zeros(const FileHandle& file, const std::string& path, std::uint64_t bytes) {
  const std::string zeros(std::min<std::uint64_t>(bytes, 1u << 20), '\0');
  for (std::uint64_t at = 0; at < bytes; at += zeros.size()) {
    const auto piece = std::string_view(zeros).substr(0, std::min<std::uint64_t>(zeros.size(), bytes - at));
    if (auto written = write_file(file, path, at, piece); !written) return written;
  }
  return sync_file(file, path);
}

}  // namespace

Stored<std::shared_ptr<JournalSegment>> JournalSegment::make(const std::string& path, std::uint64_t bytes) {
  auto file = open_file(path, O_RDWR | O_CREAT | O_TRUNC);
  if (!file) return std::unexpected(file.error());
  if (const auto filled = fill_with_zeros(*file, path, bytes); !filled) {
    unlink(path.c_str());
    return std::unexpected(filled.error());
  }
  const std::string directory = path.substr(0, path.rfind('/'));
  if (const auto synced = sync_directory(directory); !synced) return std::unexpected(synced.error());
  return std::shared_ptr<JournalSegment>(new JournalSegment(path, std::move(*file), bytes));
}

Stored<std::shared_ptr<JournalSegment>> JournalSegment::open(const std::string& path) {
  auto file = open_file(path, O_RDONLY);
  if (!file) return std::unexpected(file.error());
  const auto bytes = file_size(*file, path);
  if (!bytes) return std::unexpected(bytes.error());
  const auto first = read_file(*file, path, 0, kBlockBytes);
  if (!first) return std::unexpected(first.error());
  if (is_newer(*first)) {
    return std::unexpected(
        StoreError{.kind = StoreError::Kind::invalid,
                   .message = fmt::format("'{}' was written by a later version of stepwell; use that one", path)});
  }
  std::shared_ptr<JournalSegment> segment(new JournalSegment(path, std::move(*file), *bytes));
  segment->head_ = read_head(*first);
  return segment;
}

Stored<> JournalSegment::use(const SegmentHead& head, bool direct) {
  if (auto opened = open_writer(direct); !opened) return opened;
  AlignedBuffer block;
  block.assign(bytes_of(head));
  if (auto written = write(0, block); !written) return written;
  head_ = head;
  return {};
}

Stored<> JournalSegment::reuse(bool direct) { return open_writer(direct); }

Stored<> JournalSegment::write(std::uint64_t offset, const AlignedBuffer& bytes) {
  auto written = write_file(writer_, path_, offset, bytes.view());
  if (!written && direct_ && errno == EINVAL) {
    // The file system took the flag and still does not allow it.
    if (auto opened = open_writer(false); !opened) return opened;
    written = write_file(writer_, path_, offset, bytes.view());
  }
  if (!written || direct_) return written;
  return sync_file(writer_, path_);
}

Stored<std::string> JournalSegment::read(std::uint64_t offset, std::size_t length) const {
  auto bytes = read_file(reader_, path_, offset, length);
  if (!bytes || bytes->size() == length) return bytes;
  return std::unexpected(StoreError{.kind = StoreError::Kind::corrupt,
                                    .message = fmt::format("'{}' ends at {}, inside of a frame", path_, offset)});
}

Stored<> JournalSegment::open_writer(bool direct) {
  if (direct) {
    auto file = open_file(path_, O_WRONLY | O_DIRECT | O_DSYNC);
    if (file) {
      writer_ = std::move(*file);
      direct_ = true;
      return {};
    }
  }
  auto file = open_file(path_, O_WRONLY);
  if (!file) return std::unexpected(file.error());
  writer_ = std::move(*file);
  direct_ = false;
  return {};
}

}  // namespace stepwell
