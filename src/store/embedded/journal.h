#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/store/embedded/journal_scan.h"
#include "stepwell/store/embedded/segment_pool.h"
#include "stepwell/store/shard_heads.h"
#include "stepwell/store/store.h"

namespace stepwell {

struct JournalOptions {
  SegmentPool::Options segments = {};
  bool direct = true;  // write around the system's cache where the file system allows it
};

// The segments of a store, and an index of what is in them. Each append is one synchronous write.
//
// append() is for one thread at a time, the rest for any. What is read from the tail stays readable while it is held.
class Journal {
 public:
  // Reads what is there; makes the directory if there is none. `wanted` leaves out the records of an instance that was
  // deleted after the frame.
  static Stored<std::unique_ptr<Journal>> open(
      const std::string& directory, const KnownJournal& known, const JournalOptions& options,
      const std::function<bool(std::string_view instance, const FrameHead& frame)>& wanted);

  // `persist` makes the new epoch durable. After a failed append this first removes what it may have left.
  Stored<Takeover> take_over(std::uint32_t shard, const std::function<Stored<>(std::uint64_t epoch)>& persist);
  Stored<> append(std::span<const Frame> frames);

  // The frames of a shard that are not released, oldest first.
  std::vector<TailFramePtr> frames(std::uint32_t shard);
  std::vector<TailRecord> records(std::string_view instance);
  std::vector<std::string> instances();
  std::uint64_t last_seq(std::uint32_t shard);

  // The append up to which none would be needed any more if the shard's frames up to `through` were released.
  std::uint64_t needed_from(std::uint32_t shard, std::uint64_t through);
  // The frames of a shard up to `through` are in history, with records of these instances.
  void release(std::uint32_t shard, std::uint64_t through, std::span<const std::string> instances);
  void forget(std::span<const std::string> instances);

  struct Extent {
    std::vector<std::shared_ptr<JournalSegment>> segments = {};  // in order
    std::uint64_t end = 0;                                       // in the last of them
  };
  // What the journal is while `meanwhile` runs; nothing is appended until it returns.
  Extent pause(const std::function<void()>& meanwhile);

  std::uint64_t last_write();
  std::uint64_t tail_bytes();
  std::uint64_t written_bytes();
  std::uint64_t syncs();

 private:
  // What a failed append may have left on disk.
  struct Leftover {
    std::shared_ptr<JournalSegment> segment = {};
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };
  Journal(std::string directory, JournalOptions options, ScannedJournal scanned, StoreId store);

  Stored<> make_room(std::uint64_t bytes);
  Stored<> clean_up();
  std::vector<TailFrame> encode(std::span<const Frame> frames);
  Stored<> write();
  void remember(std::span<const Frame> frames, std::span<const TailFrame> written);

  const JournalOptions options_;
  const StoreId store_;

  // Held while an append is written; guards what decides where the next one goes.
  std::mutex append_mutex_;
  ShardHeads heads_;
  std::map<std::uint32_t, Sha256Digest> chains_;  // the hash of each shard's last frame
  std::uint64_t next_write_ = 1;
  std::shared_ptr<JournalSegment> current_;  // the last live segment
  std::uint64_t end_ = 0;                    // where the next append goes in it
  std::string encoded_;
  AlignedBuffer buffer_;
  Leftover leftover_;

  // Held for moments, also while append_mutex_ is; guards what is read.
  std::mutex index_mutex_;
  TailIndex index_;
  std::vector<std::shared_ptr<JournalSegment>> live_;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t syncs_ = 0;

  SegmentPool pool_;
};

}  // namespace stepwell
