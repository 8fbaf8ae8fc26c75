#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "stepwell/store/embedded/segment.h"

namespace stepwell {

// The segments that are not in use, and the making of new ones. Filling a file with zeros takes time, so it is done
// beforehand, on a thread of its own. For any thread.
class SegmentPool {
 public:
  struct Options {
    std::uint64_t segment_bytes = 16u << 20;
    // The first is smaller: a store that never does much begins at once and stays small.
    std::uint64_t first_segment_bytes = 1u << 20;
    std::size_t spares = 2;  // how many that are not in use are kept
  };

  // `files` is how many segments there are, `unused` those of them that may be used.
  SegmentPool(std::string directory, Options options, std::size_t files,
              std::vector<std::shared_ptr<JournalSegment>> unused);

  // A segment with room for that many bytes of appends. `full` if there is no space for one.
  Stored<std::shared_ptr<JournalSegment>> take(std::uint64_t room);
  // Begins to make one if none is at hand.
  void prepare();
  // No longer needed. It is used again once nobody reads it any more.
  void give_back(std::shared_ptr<JournalSegment> segment);
  // Removes a segment of which it is not known what it holds.
  void discard(const JournalSegment& segment);

  // Bytes of zeros written to make segments.
  std::uint64_t filled_bytes();

 private:
  std::string next_path();
  std::shared_ptr<JournalSegment> take_unused(std::uint64_t bytes);

  const std::string directory_;
  const Options options_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<JournalSegment>> unused_;
  std::future<Stored<std::shared_ptr<JournalSegment>>> making_;
  std::uint64_t made_ = 0;
  std::uint64_t filled_bytes_ = 0;
};

}  // namespace stepwell
