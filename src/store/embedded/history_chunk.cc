#include "stepwell/store/embedded/history_chunk.h"

#include <cstring>

#include "stepwell/store/little_endian.h"

namespace stepwell {
namespace {

// count | record... | hash of the last record, 16 bytes
// record: tag u8 | version, unless it is one more than before | previous 16 bytes, unless it is the hash of the record
// before | body length | body. Numbers without a width are in LEB128.
constexpr unsigned char kFollowsVersion = 1;
constexpr unsigned char kFollowsHash = 2;

void put_varint(std::string& out, std::uint64_t number) {
  while (number >= 0x80) {
    out += static_cast<char>(number | 0x80);
    number >>= 7;
  }
  out += static_cast<char>(number);
}

class ChunkReader {
 public:
  explicit ChunkReader(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }

  std::string_view take(std::uint64_t length) {
    if (failed_ || length > bytes_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }

  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::string_view byte = take(1);
      if (failed_) return 0;
      number |= static_cast<std::uint64_t>(byte[0] & 0x7F) << shift;
      if ((byte[0] & 0x80) == 0) return number;
    }
    failed_ = true;
    return 0;
  }

  RecordHash hash() {
    RecordHash hash = {};
    const std::string_view bytes = take(hash.size());
    if (!failed_) std::memcpy(hash.data(), bytes.data(), hash.size());
    return hash;
  }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace

void HistoryChunkWriter::add(const Record& record, const RecordHash& hash) {
  const bool follows_version = record.version == version_ + 1;
  const bool follows_hash = record.previous == hash_;
  records_ += static_cast<char>((follows_version ? kFollowsVersion : 0) | (follows_hash ? kFollowsHash : 0));
  if (!follows_version) put_varint(records_, record.version);
  if (!follows_hash) records_.append(record.previous.data(), record.previous.size());
  put_varint(records_, record.body.size());
  records_.append(record.body);
  if (count_++ == 0) first_version_ = record.version;
  version_ = record.version;
  hash_ = hash;
}

void HistoryChunkWriter::finish(std::string& out) const {
  put_varint(out, count_);
  out.append(records_);
  out.append(hash_.data(), hash_.size());
}

std::expected<void, std::string> read_chunk(std::string_view block, std::size_t offset, std::string_view instance,
                                            const std::function<void(const Record&, const RecordHash&)>& visit) {
  if (offset > block.size()) return std::unexpected("the chunk is missing");
  ChunkReader reader(block.substr(offset));
  const std::uint64_t count = reader.varint();
  Record record{.instance = instance};
  RecordHash hash = {};
  std::string scratch;
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    const std::string_view tag = reader.take(1);
    if (reader.failed()) break;
    record.version = (tag[0] & kFollowsVersion) != 0 ? record.version + 1 : reader.varint();
    record.previous = (tag[0] & kFollowsHash) != 0 ? hash : reader.hash();
    record.body = reader.take(reader.varint());
    if (reader.failed()) break;
    scratch.clear();
    hash = append_record(scratch, record);
    visit(record, hash);
  }
  const RecordHash last = reader.hash();
  if (reader.failed()) return std::unexpected("the chunk ends early");
  if (last != hash) return std::unexpected("the records are not those that were written");
  return {};
}

}  // namespace stepwell
