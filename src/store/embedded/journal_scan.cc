#include "stepwell/store/embedded/journal_scan.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/store/embedded/segment_window.h"

namespace stepwell {
namespace {

using Visit = std::function<void(const TailFramePtr&, std::string_view payload)>;

std::unexpected<StoreError> corrupt(std::string message) {
  return std::unexpected(StoreError{.kind = StoreError::Kind::corrupt, .message = std::move(message)});
}

std::unexpected<StoreError> corrupt(const JournalSegment& segment, std::uint64_t offset, std::string_view what) {
  return corrupt(fmt::format("'{}' at {}: {}", segment.path(), offset, what));
}

std::unexpected<StoreError> newer(const JournalSegment& segment, std::uint64_t offset) {
  return std::unexpected(StoreError{
      .kind = StoreError::Kind::invalid,
      .message =
          fmt::format("'{}' at {}: written by a later version of stepwell; use that one", segment.path(), offset)});
}

Stored<std::vector<std::shared_ptr<JournalSegment>>> open_segments(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".seg") paths.push_back(entry.path().string());
  }
  if (error) return std::unexpected(file_error("read", directory, error.value()));
  std::ranges::sort(paths);
  std::vector<std::shared_ptr<JournalSegment>> segments;
  segments.reserve(paths.size());
  for (const std::string& path : paths) {
    auto segment = JournalSegment::open(path);
    if (!segment) return std::unexpected(segment.error());
    segments.push_back(std::move(*segment));
  }
  return segments;
}

class JournalScan {
 public:
  JournalScan(const KnownJournal& known, const Visit& visit) : known_(known), visit_(visit) {
    for (const auto& [shard, state] : known.shards) {
      scanned_.shards[shard] = {.last_seq = state.released_seq, .hash = state.released_hash};
    }
  }

  Stored<ScannedJournal> run(std::vector<std::shared_ptr<JournalSegment>> segments) {
    if (auto sorted = sort(std::move(segments)); !sorted) return std::unexpected(sorted.error());
    for (std::size_t i = 0; i < scanned_.live.size(); ++i) {
      if (auto read = read_segment(i); !read) return std::unexpected(read.error());
    }
    if (auto complete = check_end(); !complete) return std::unexpected(complete.error());
    return std::move(scanned_);
  }

 private:
  // Parts what is live, in order, from what may be used anew.
  Stored<> sort(std::vector<std::shared_ptr<JournalSegment>> segments) {
    std::map<std::uint64_t, std::shared_ptr<JournalSegment>> used;
    for (std::shared_ptr<JournalSegment>& segment : segments) {
      if (!segment->head()) {
        headless_.push_back(segment);
      } else if (segment->head()->store != known_.store) {
        return corrupt(*segment, 0, "the segment belongs to another store");
      } else if (!used.emplace(segment->head()->number, segment).second) {
        return corrupt(*segment, 0, "two segments have the same number");
      }
    }
    auto first = used.end();
    while (first != used.begin() && (first == used.end() || first->second->head()->first_write > known_.needed_from)) {
      --first;
    }
    for (auto each = used.begin(); each != first; ++each) scanned_.unused.push_back(each->second);
    std::optional<std::uint64_t> number;
    for (auto each = first; each != used.end(); ++each) {
      if (number && each->first != *number + 1) return missing(*number + 1);
      number = each->first;
      scanned_.live.push_back(each->second);
    }
    scanned_.next_write = known_.needed_from;
    if (!scanned_.live.empty()) {
      scanned_.next_write = scanned_.live.front()->head()->first_write;
      if (scanned_.next_write > known_.needed_from) return missing(scanned_.live.front()->head()->number - 1);
    }
    return {};
  }

  std::unexpected<StoreError> missing(std::uint64_t number) const {
    std::string message = fmt::format("segment {} of the journal is missing", number);
    if (!headless_.empty()) message += fmt::format("; the head of '{}' is damaged", headless_.front()->path());
    return corrupt(std::move(message));
  }

  Stored<> read_segment(std::size_t index) {
    const std::shared_ptr<JournalSegment>& segment = scanned_.live[index];
    SegmentWindow window(*segment);
    std::uint64_t offset = kBlockBytes;
    while (true) {
      const auto length = measure_append(window, offset);
      if (!length) return std::unexpected(length.error());
      if (*length == 0) break;
      if (auto read = read_append(segment, window, offset); !read) return read;
      offset = whole_blocks(offset + *length);
      scanned_.next_write += 1;
    }
    scanned_.end = offset;
    if (index + 1 == scanned_.live.size()) return {};
    const std::uint64_t next = scanned_.live[index + 1]->head()->first_write;
    if (next == scanned_.next_write) return {};
    return corrupt(
        *segment, offset,
        fmt::format("append {} is damaged or missing; the next segment begins with {}", scanned_.next_write, next));
  }

  // How many bytes the next append has, if it is whole; 0 if it is not.
  Stored<std::uint64_t> measure_append(SegmentWindow& window, std::uint64_t begin) {
    std::uint64_t offset = begin;
    while (true) {
      const auto start = window.view(offset, kFrameExtraBytes);
      if (!start) return std::unexpected(start.error());
      const auto length = frame_length(*start);
      if (!length || frame_write(*start) != scanned_.next_write) return 0;
      const auto bytes = window.view(offset, *length);
      if (!bytes) return std::unexpected(bytes.error());
      const auto frame = read_frame(*bytes);
      if (!frame && is_newer_frame(*bytes)) return newer(window.segment(), offset);
      if (!frame) return 0;
      offset += *length;
      if (!frame->head.more) return offset - begin;
    }
  }

  // Takes in the frames of an append that is whole.
  Stored<> read_append(const std::shared_ptr<JournalSegment>& segment, SegmentWindow& window, std::uint64_t offset) {
    while (true) {
      const auto start = window.view(offset, kFrameExtraBytes);
      if (!start) return std::unexpected(start.error());
      const auto bytes = window.view(offset, *frame_length(*start));
      if (!bytes) return std::unexpected(bytes.error());
      const auto frame = read_frame(*bytes);
      if (!frame) return corrupt(*segment, offset, "the frame changed while it was read");
      if (auto taken = take_in(segment, offset, *frame, *bytes); !taken) return taken;
      if (!frame->head.more) return {};
      offset += frame->length;
    }
  }

  Stored<> take_in(const std::shared_ptr<JournalSegment>& segment, std::uint64_t offset, const FrameOnDisk& frame,
                   std::string_view bytes) {
    const FrameHead& head = frame.head;
    const auto known = known_.shards.find(head.shard);
    if (known == known_.shards.end()) return corrupt(*segment, offset, "the database does not know the frame's shard");
    const Sha256Digest hash = sha256(bytes);
    if (head.last_seq < known->second.released_seq) return {};
    if (head.last_seq == known->second.released_seq) {
      if (hash == known->second.released_hash) return {};
      return corrupt(*segment, offset, "the frame is not the one that the last checkpoint took in");
    }
    ScannedShard& before = scanned_.shards[head.shard];
    const std::optional<std::string> misfit = misfit_of(head, before, known->second.epoch);
    if (misfit) return corrupt(*segment, offset, *misfit);
    const auto count = count_records(frame.payload);
    if (!count || *count != head.last_seq - head.first_seq + 1) {
      return corrupt(*segment, offset, "the frame holds other records than it says");
    }
    before = {.last_seq = head.last_seq, .epoch = head.epoch, .hash = hash};
    visit_(std::make_shared<TailFrame>(
               TailFrame{.segment = segment, .offset = offset, .length = frame.length, .head = head, .hash = hash}),
           frame.payload);
    return {};
  }

  static std::optional<std::string> misfit_of(const FrameHead& head, const ScannedShard& before,
                                              std::uint64_t last_epoch) {
    if (head.first_seq != before.last_seq + 1 || head.last_seq < head.first_seq) {
      return fmt::format("records {} to {} of shard {} do not follow record {}", head.first_seq, head.last_seq,
                         head.shard, before.last_seq);
    }
    if (head.epoch < before.epoch || head.epoch > last_epoch) {
      return fmt::format("epoch {} of shard {} does not fit between {} and {}", head.epoch, head.shard, before.epoch,
                         last_epoch);
    }
    if (head.previous != before.hash) {
      return fmt::format("the frame of shard {} was written after another one than the one before it", head.shard);
    }
    return std::nullopt;
  }

  // Nothing that was durable may be missing at the end.
  Stored<> check_end() {
    const std::string place = scanned_.live.empty()
                                  ? "the journal is missing"
                                  : fmt::format("'{}' at {}", scanned_.live.back()->path(), scanned_.end);
    const std::uint64_t last = scanned_.next_write - 1;
    if (last < known_.acknowledged || scanned_.next_write < known_.needed_from) {
      return corrupt(fmt::format("{}: append {} is damaged or missing, but {} is known to have been durable", place,
                                 scanned_.next_write, std::max(known_.acknowledged, known_.needed_from - 1)));
    }
    for (const auto& [shard, known] : known_.shards) {
      if (scanned_.shards[shard].last_seq >= known.projected_seq) continue;
      return corrupt(
          fmt::format("{}: append {} is damaged or missing, but record {} of shard {} is known to have been "
                      "durable",
                      place, scanned_.next_write, known.projected_seq, shard));
    }
    if (!scanned_.live.empty()) {
      // One append is in flight at a time: if the one after the next was written, the next was durable.
      if (auto none = expect_none(*scanned_.live.back(), scanned_.end, scanned_.next_write + 1); !none) return none;
    }
    for (const std::shared_ptr<JournalSegment>& segment : headless_) {
      // The head is durable before anything else is written.
      if (auto none = expect_none(*segment, kBlockBytes, scanned_.next_write); !none) return none;
      scanned_.unused.push_back(segment);
    }
    return {};
  }

  // `corrupt` if an append of that number or a later one begins anywhere from `offset` on.
  Stored<> expect_none(const JournalSegment& segment, std::uint64_t offset, std::uint64_t write) {
    SegmentWindow window(segment);
    for (std::uint64_t at = offset; at < segment.bytes(); at += kBlockBytes) {
      const auto start = window.view(at, kFrameExtraBytes);
      if (!start) return std::unexpected(start.error());
      const auto length = frame_length(*start);
      if (!length || frame_write(*start) < write || at + *length > segment.bytes()) continue;
      const auto bytes = window.view(at, *length);
      if (!bytes) return std::unexpected(bytes.error());
      if (!read_frame(*bytes)) continue;
      return corrupt(segment, offset,
                     fmt::format("append {} is damaged, although append {} follows at {}", scanned_.next_write,
                                 frame_write(*bytes), at));
    }
    return {};
  }

  const KnownJournal& known_;
  const Visit& visit_;
  ScannedJournal scanned_;
  std::vector<std::shared_ptr<JournalSegment>> headless_;
};

}  // namespace

Stored<ScannedJournal> scan_journal(const std::string& directory, const KnownJournal& known, const Visit& visit) {
  auto segments = open_segments(directory);
  if (!segments) return std::unexpected(segments.error());
  return JournalScan(known, visit).run(std::move(*segments));
}

}  // namespace stepwell
