#include "stepwell/store/record.h"

#include <cstring>

#include "stepwell/base/check.h"
#include "stepwell/base/sha256.h"
#include "stepwell/store/limits.h"
#include "stepwell/store/little_endian.h"

namespace stepwell {

namespace {

// length u32 | version u64 | previous 16 bytes | instance length u16 | instance | body
constexpr std::size_t kHead = 4 + 8 + 16 + 2;

RecordHash hash_of(std::string_view bytes) {
  const Sha256Digest digest = sha256(bytes);
  RecordHash hash;
  std::memcpy(hash.data(), digest.bytes.data(), hash.size());
  return hash;
}

// Visits the bytes of each record, with the length of the instance's name.
std::expected<void, std::string> each_record(std::string_view payload, auto visit) {
  std::size_t at = 0;
  while (at < payload.size()) {
    const std::string_view rest = payload.substr(at);
    const std::size_t length = rest.size() < kHead ? 0 : get_number<std::uint32_t>(rest, 0);
    const std::size_t name = rest.size() < kHead ? 0 : get_number<std::uint16_t>(rest, kHead - 2);
    if (length < kHead + name || length > rest.size()) {
      return std::unexpected("no record at offset " + std::to_string(at) + " of the frame");
    }
    visit(rest.substr(0, length), name);
    at += length;
  }
  return {};
}

}  // namespace

RecordHash append_record(std::string& payload, const Record& record) {
  CHECK(record.instance.size() <= limits::kInstanceNameBytes && record.body.size() <= limits::kFrameBytes);
  const std::size_t begin = payload.size();
  put_number(payload, static_cast<std::uint32_t>(kHead + record.instance.size() + record.body.size()));
  put_number(payload, record.version);
  payload.append(record.previous.data(), record.previous.size());
  put_number(payload, static_cast<std::uint16_t>(record.instance.size()));
  payload.append(record.instance);
  payload.append(record.body);
  return hash_of(std::string_view(payload).substr(begin));
}

std::expected<void, std::string> read_records(std::string_view payload,
                                              const std::function<void(const Record&, const RecordHash&)>& visit) {
  return each_record(payload, [&](std::string_view bytes, std::size_t name) {
    Record record{.instance = bytes.substr(kHead, name),
                  .version = get_number<std::uint64_t>(bytes, 4),
                  .body = bytes.substr(kHead + name)};
    std::memcpy(record.previous.data(), bytes.data() + 12, record.previous.size());
    visit(record, hash_of(bytes));
  });
}

std::expected<void, std::string> split_records(
    std::string_view payload,
    const std::function<void(std::string_view bytes, std::string_view instance, std::uint64_t version)>& visit) {
  return each_record(payload, [&](std::string_view bytes, std::size_t name) {
    visit(bytes, bytes.substr(kHead, name), get_number<std::uint64_t>(bytes, 4));
  });
}

std::expected<std::uint64_t, std::string> count_records(std::string_view payload) {
  std::uint64_t count = 0;
  const auto read = each_record(payload, [&](std::string_view, std::size_t) { ++count; });
  if (!read) return std::unexpected(read.error());
  return count;
}

}  // namespace stepwell
