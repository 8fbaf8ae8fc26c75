#include "stepwell/store/embedded/segment_pool.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace stepwell {

namespace {
using Lock = std::lock_guard<std::mutex>;
}  // namespace

SegmentPool::SegmentPool(std::string directory, Options options, std::size_t files,
                         std::vector<std::shared_ptr<JournalSegment>> unused)
    : directory_(std::move(directory)), options_(options), unused_(std::move(unused)), made_(files) {}

Stored<std::shared_ptr<JournalSegment>> SegmentPool::take(std::uint64_t room) {
  const Lock lock(mutex_);
  const std::uint64_t usual = made_ == 0 ? options_.first_segment_bytes : options_.segment_bytes;
  const std::uint64_t bytes = std::max<std::uint64_t>(usual, kBlockBytes + whole_blocks(room));
  if (making_.valid()) {
    auto made = making_.get();
    if (made) unused_.push_back(std::move(*made));
  }
  if (auto found = take_unused(kBlockBytes + room)) return found;
  auto made = JournalSegment::make(next_path(), bytes);
  if (made) filled_bytes_ += bytes;
  return made;
}

std::shared_ptr<JournalSegment> SegmentPool::take_unused(std::uint64_t bytes) {
  // The pool's is the only reference: nobody reads it, and nobody can begin to.
  const auto fits = [&](const std::shared_ptr<JournalSegment>& segment) {
    return segment.use_count() == 1 && segment->bytes() >= bytes;
  };
  const auto found = std::ranges::find_if(unused_, fits);
  if (found == unused_.end()) return nullptr;
  std::shared_ptr<JournalSegment> segment = std::move(*found);
  unused_.erase(found);
  return segment;
}

void SegmentPool::prepare() {
  const Lock lock(mutex_);
  if (making_.valid() || !unused_.empty()) return;
  filled_bytes_ += options_.segment_bytes;
  making_ = std::async(std::launch::async, [path = next_path(), bytes = options_.segment_bytes] {
    return JournalSegment::make(path, bytes);
  });
}

void SegmentPool::give_back(std::shared_ptr<JournalSegment> segment) {
  const Lock lock(mutex_);
  if (segment->bytes() != options_.segment_bytes || unused_.size() >= options_.spares) {
    discard(*segment);
  } else {
    unused_.push_back(std::move(segment));
  }
}

void SegmentPool::discard(const JournalSegment& segment) { unlink(segment.path().c_str()); }

std::uint64_t SegmentPool::filled_bytes() {
  const Lock lock(mutex_);
  return filled_bytes_;
}

std::string SegmentPool::next_path() {
  // Names are not used again: the file of another number may still be read.
  while (access(fmt::format("{}/{:06}.seg", directory_, made_ + 1).c_str(), F_OK) == 0) ++made_;
  return fmt::format("{}/{:06}.seg", directory_, ++made_);
}

}  // namespace stepwell
