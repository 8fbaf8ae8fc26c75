#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

namespace stepwell {

// The first half of the SHA-256 of a record's bytes. Each record of an instance names that of the one before, so that
// none can be altered, left out or put in.
using RecordHash = std::array<char, 16>;

// What one decided command did to one instance. The store keeps the body and never looks into it.
struct Record {
  std::string_view instance = {};
  std::uint64_t version = 0;  // of the instance, after it: one more than that of the record before
  RecordHash previous = {};   // zero for the first record of an instance
  std::string_view body = {};
};

// Appends the bytes of a record to the payload of a frame (docs/formats/journal.md) and answers their hash. CHECKs the
// limits of names and frames.
RecordHash append_record(std::string& payload, const Record& record);

// Reads the records of a payload in order; what is visited borrows from it. An error names the offset.
std::expected<void, std::string> read_records(std::string_view payload,
                                              const std::function<void(const Record&, const RecordHash&)>& visit);

// The same without the cost of hashing: the bytes of each record, its instance and version.
std::expected<void, std::string> split_records(
    std::string_view payload,
    const std::function<void(std::string_view bytes, std::string_view instance, std::uint64_t version)>& visit);
std::expected<std::uint64_t, std::string> count_records(std::string_view payload);

// The unit of group commit: records of many instances of one shard, made durable together.
struct Frame {
  std::uint32_t shard = 0;
  std::uint64_t epoch = 0;
  std::uint64_t first_seq = 0;  // of its records: one more than the last of the frame before
  std::uint64_t last_seq = 0;
  std::string payload = {};  // records, by append_record
};

}  // namespace stepwell
