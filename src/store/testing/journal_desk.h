#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stepwell/store/embedded/journal.h"
#include "stepwell/store/testing/temporary_directory.h"

namespace stepwell {

// A journal on its own, without a database: what one would know is kept here. Bodies of records are their numbers.
class JournalDesk {
 public:
  explicit JournalDesk(JournalOptions options = {}) : options_(options) {
    known_.store = {'t', 'e', 's', 't'};
    open();
  }

  const std::string& path() const { return path_; }
  KnownJournal& known() { return known_; }
  Journal& journal() { return *journal_; }

  void open() {
    journal_.reset();
    auto opened = Journal::open(path_, known_, options_, [](std::string_view, const FrameHead&) { return true; });
    if (!opened) throw std::runtime_error(opened.error().message);
    journal_ = std::move(*opened);
  }
  void close() { journal_.reset(); }

  void take_over(std::uint32_t shard = 0) {
    const auto taken = journal_->take_over(shard, [&](std::uint64_t epoch) -> Stored<> {
      known_.shards[shard].epoch = epoch;
      return {};
    });
    if (!taken) throw std::runtime_error(taken.error().message);
    next_seq_[shard] = taken->next_seq;
  }

  // Frames of so many records each, for one append.
  std::vector<Frame> frames(const std::vector<int>& sizes, std::size_t body_bytes = 8, std::uint32_t shard = 0) {
    std::vector<Frame> made;
    for (const int size : sizes) {
      Frame& frame = made.emplace_back(Frame{.shard = shard, .epoch = known_.shards[shard].epoch});
      frame.first_seq = next_seq_[shard];
      for (int i = 0; i < size; ++i) {
        std::string body = std::to_string(next_seq_[shard]);
        body.resize(std::max(body.size(), body_bytes), '.');
        append_record(frame.payload, {.instance = "i", .version = next_seq_[shard]++, .body = body});
      }
      frame.last_seq = next_seq_[shard] - 1;
    }
    return made;
  }

  void append(const std::vector<int>& sizes, std::size_t body_bytes = 8, std::uint32_t shard = 0) {
    const auto done = journal_->append(frames(sizes, body_bytes, shard));
    if (!done) throw std::runtime_error(done.error().message);
  }

  // As a checkpoint does.
  void release(std::uint64_t through, std::uint32_t shard = 0) {
    KnownShard& known = known_.shards[shard];
    for (const TailFramePtr& frame : journal_->frames(shard)) {
      if (frame->head.last_seq <= through) known.released_hash = frame->hash;
    }
    known.released_seq = through;
    known_.needed_from = journal_->needed_from(shard, through);
    journal_->release(shard, through, std::vector<std::string>{"i"});
  }

  // What reading it anew finds: "1-2 3-3", or the error.
  Stored<std::string> scan() const {
    std::string text;
    const auto scanned = scan_journal(path_, known_, [&](const TailFramePtr& frame, std::string_view payload) {
      EXPECT_EQ(count_records(payload).value_or(0), frame->head.last_seq - frame->head.first_seq + 1);
      if (!text.empty()) text += ' ';
      text += std::to_string(frame->head.first_seq) + "-" + std::to_string(frame->head.last_seq);
    });
    if (!scanned) return std::unexpected(scanned.error());
    return text;
  }

 private:
  TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/journal";
  JournalOptions options_;
  KnownJournal known_;
  std::map<std::uint32_t, std::uint64_t> next_seq_;
  std::unique_ptr<Journal> journal_;
};

}  // namespace stepwell
