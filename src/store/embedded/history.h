#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/store/embedded/database.h"
#include "stepwell/store/embedded/history_chunk.h"
#include "stepwell/store/store_error.h"

namespace stepwell {

// The records of many instances, compressed together: each chunk alone would be too small to compress well.
struct HistoryBlock {
  struct Chunk {
    std::string instance = {};
    std::uint64_t first_version = 0;
    std::uint64_t last_version = 0;
    std::uint64_t offset = 0;
  };
  std::string bytes = {};
  std::vector<Chunk> chunks = {};
};

// Makes blocks of the records of frames. It holds so many records at a time, however many there are.
class HistoryBuilder {
 public:
  // The payload of a frame, oldest first.
  std::expected<void, std::string> add(std::string_view payload);
  std::vector<HistoryBlock> finish();

 private:
  void flush();

  std::map<std::string, HistoryChunkWriter, std::less<>> open_;
  std::size_t open_bytes_ = 0;
  std::vector<HistoryBlock> blocks_;
};

// The tables of history. Functions that change them are called inside of a transaction.
class History {
 public:
  // `reader` is locked for moments.
  explicit History(Connection& reader) : reader_(reader) {}

  static Stored<> add(Connection& writer, const std::vector<HistoryBlock>& blocks,
                      const std::function<bool(std::string_view instance)>& wanted);
  static Stored<> erase(Connection& writer, std::string_view instance);

  // Visits the records of an instance with a version after `after`; answers the last version there is.
  Stored<std::uint64_t> read(std::string_view instance, std::uint64_t after,
                             const std::function<void(const Record&, const RecordHash&)>& visit);
  // Some names of instances after this one, in order; none if there are no more.
  Stored<std::vector<std::string>> instances(std::string_view after);

 private:
  using Block = std::shared_ptr<const std::string>;
  struct Place {
    std::uint64_t last_version = 0;
    std::int64_t block = 0;
    std::uint64_t offset = 0;
  };
  Stored<std::vector<Place>> places(std::string_view instance, std::uint64_t after);
  Stored<Block> load(std::int64_t block);

  Connection& reader_;
  // Neighbours are often read one after the other.
  std::mutex cache_mutex_;
  std::vector<std::pair<std::int64_t, Block>> cache_;
};

}  // namespace stepwell
