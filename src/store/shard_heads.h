#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "stepwell/store/record.h"
#include "stepwell/store/store_error.h"

namespace stepwell {

// Who owns a shard, and where its journal ends.
struct ShardHead {
  std::uint64_t epoch = 0;
  std::uint64_t last_seq = 0;
  bool owned = false;  // an append under `epoch` is welcome
};

// Decides for a store which frames may be appended. Not synchronised.
class ShardHeads {
 public:
  ShardHead& operator[](std::uint32_t shard) { return heads_[shard]; }

  // Whether the frames follow from what is there and from each other, under the epochs of their shards' owners, and
  // hold as many records as they say.
  Stored<> check(std::span<const Frame> frames) const;
  // They are durable.
  void advance(std::span<const Frame> frames);
  // An append has failed: every shard has to be taken over anew.
  void disown();

 private:
  std::map<std::uint32_t, ShardHead> heads_;
};

}  // namespace stepwell
