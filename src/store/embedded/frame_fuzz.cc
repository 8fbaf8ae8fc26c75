#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "stepwell/base/check.h"
#include "stepwell/base/crc32c.h"
#include "stepwell/store/embedded/compression.h"
#include "stepwell/store/embedded/frame_format.h"
#include "stepwell/store/embedded/history_chunk.h"
#include "stepwell/store/little_endian.h"

namespace stepwell {
namespace {

// A frame that is accepted is exactly the bytes that it is written as, but for flags that nobody knows yet.
void check_frame(std::string_view bytes) {
  const auto frame = read_frame(bytes);
  if (!frame) return;
  CHECK(frame->length <= bytes.size());
  std::string again;
  append_frame(again, frame->head, frame->payload);
  CHECK(again.size() == frame->length);
  CHECK(std::string_view(again).substr(8, again.size() - 12) == bytes.substr(8, frame->length - 12));
}

// Records that are read are written as the same bytes.
void check_records(std::string_view bytes) {
  std::string again;
  const auto read = read_records(
      bytes, [&](const Record& record, const RecordHash& hash) { CHECK(append_record(again, record) == hash); });
  CHECK(bytes.starts_with(again));
  CHECK(!read || again.size() == bytes.size());
  CHECK(read.has_value() == count_records(bytes).has_value());
}

// A chunk that is read is found again when its records are written anew.
void check_chunk(std::string_view bytes) {
  HistoryChunkWriter writer;
  const auto read =
      read_chunk(bytes, 0, "i", [&](const Record& record, const RecordHash& hash) { writer.add(record, hash); });
  if (!read || writer.empty()) return;
  std::string again;
  writer.finish(again);
  std::uint64_t last = 0;
  CHECK(read_chunk(again, 0, "i", [&](const Record& record, const RecordHash&) { last = record.version; }).has_value());
  CHECK(last == writer.last_version());
}

}  // namespace
}  // namespace stepwell

// Any bytes, taken for what the journal or history holds: refused, or exactly what would be written. The checksum is
// made right for half of them, since no fuzzer finds one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stepwell;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_frame(bytes);
  check_records(bytes);
  check_chunk(bytes);
  (void)decompress(bytes, 1u << 20);
  if (const auto length = frame_length(bytes); length && *length <= bytes.size()) {
    std::string mended(bytes.substr(0, *length - 4));
    put_number(mended, crc32c(mended));
    check_frame(mended);
  }
  return 0;
}
