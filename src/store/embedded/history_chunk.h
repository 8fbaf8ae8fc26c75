#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "stepwell/store/record.h"

// How history keeps the records of an instance: without what can be told from the record before
// (docs/formats/journal.md).
namespace stepwell {

// Takes the records of one instance, oldest first.
class HistoryChunkWriter {
 public:
  void add(const Record& record, const RecordHash& hash);

  bool empty() const { return count_ == 0; }
  std::uint64_t first_version() const { return first_version_; }
  std::uint64_t last_version() const { return version_; }
  std::size_t size() const { return records_.size(); }
  // Appends the chunk to a block.
  void finish(std::string& out) const;

 private:
  std::uint64_t count_ = 0;
  std::uint64_t first_version_ = 0;
  std::uint64_t version_ = 0;
  RecordHash hash_ = {};
  std::string records_;
};

// Visits the records of the chunk that begins at `offset` of a block. An error says what does not fit, among that a
// record that is not the one that was written.
std::expected<void, std::string> read_chunk(std::string_view block, std::size_t offset, std::string_view instance,
                                            const std::function<void(const Record&, const RecordHash&)>& visit);

}  // namespace stepwell
