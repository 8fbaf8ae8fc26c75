#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "stepwell/runtime/shard.h"
#include "stepwell/store/store.h"

namespace stepwell {

// What became of a frame on its way to the store.
struct Returned {
  Sealed sealed = {};
  Stored<> result = {};
};

// Makes the frames of all shards durable, one append at a time: while one is under way, those that come in are gathered
// for the next. When it is idle a shard may append on its own thread, which saves two changes of thread.
//
// When an append fails, so do all frames behind it, and everything else until reset().
class Committer {
 public:
  // Called with what was submitted, on the committer's thread.
  using Return = std::function<void(Returned)>;
  // Called when the disk is full (true) and when it is not any more (false). The append is tried again until then.
  using Full = std::function<void(bool)>;

  Committer(Store& store, Full full);
  // Whoever submits has ended before.
  ~Committer();

  // Frames must have records. Appends on the caller's thread; nothing if that has to wait for another append.
  std::optional<Stored<>> try_append(const Sealed& sealed);
  void submit(Sealed sealed, Return give_back);
  // All shards have dropped what was lost and have been taken over anew.
  void reset();
  // From now on an append that finds the disk full fails; one that waits for space gives up.
  void give_up_on_space();

 private:
  struct Waiting {
    std::vector<Held> held;
    Return give_back;
  };

  void run();
  Stored<> append(std::span<const Frame> frames);

  Store& store_;
  const Full full_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Frame> frames_;
  std::vector<Waiting> waiting_;  // for each of the frames
  std::optional<StoreError> failed_;
  bool appending_ = false;
  bool impatient_ = false;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace stepwell
