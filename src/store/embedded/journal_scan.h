#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/store/embedded/tail_index.h"
#include "stepwell/store/store_error.h"

namespace stepwell {

// What the database knows of a shard.
struct KnownShard {
  std::uint64_t epoch = 0;          // of its last owner
  std::uint64_t released_seq = 0;   // the records that checkpoints have taken in
  Sha256Digest released_hash = {};  // of the last frame of them
  std::uint64_t projected_seq = 0;  // was durable, since it was projected
};

// What the database knows of the journal: enough to find where it begins, and to notice that its end is gone.
struct KnownJournal {
  StoreId store = {};
  std::uint64_t needed_from = 1;   // all frames of appends before this one are released
  std::uint64_t acknowledged = 0;  // the last append, when the store was last closed in order
  std::map<std::uint32_t, KnownShard> shards = {};
};

// Where a shard's frames end.
struct ScannedShard {
  std::uint64_t last_seq = 0;
  std::uint64_t epoch = 0;  // of the last frame
  Sha256Digest hash = {};   // of the last frame
};

struct ScannedJournal {
  std::vector<std::shared_ptr<JournalSegment>> live = {};    // in order; the last is where appends go
  std::vector<std::shared_ptr<JournalSegment>> unused = {};  // may be used anew
  std::uint64_t end = 0;                                     // the offset in the last live segment where appends go on
  std::uint64_t next_write = 1;
  std::map<std::uint32_t, ScannedShard> shards = {};
};

// Reads the segments of a directory, visits each frame that is still needed, in the order they were written, and finds
// where the journal ends. An append that was interrupted is not part of it. Whatever else does not fit is `corrupt`,
// and the message names file and offset: a frame that is damaged although a later append shows that it was whole once,
// one that does not follow from the one before, a segment or an end that is missing.
Stored<ScannedJournal> scan_journal(const std::string& directory, const KnownJournal& known,
                                    const std::function<void(const TailFramePtr&, std::string_view payload)>& visit);

}  // namespace stepwell
