#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stepwell/store/store.h"

namespace stepwell {

// Where a store under test lives.
class StoreHome {
 public:
  StoreHome() = default;
  StoreHome(const StoreHome&) = delete;
  StoreHome& operator=(const StoreHome&) = delete;
  virtual ~StoreHome() = default;

  virtual Store& store() = 0;
  // Ends the store as a crash does, and opens what is left of it: everything that was synced.
  virtual void crash() = 0;
  // Backs the store up and goes on with the copy. False if this kind of store has no files to copy.
  virtual bool move_to_backup() = 0;
};

// Everything a store promises, whatever it is made of. A store joins with a file that instantiates the suite with a
// maker of homes.
class StoreSuite : public testing::TestWithParam<std::function<std::unique_ptr<StoreHome>()>> {
 protected:
  StoreSuite() : home_(GetParam()()) {}

  Store& store() { return home_->store(); }
  StoreHome& home() { return *home_; }
  void crash() { home_->crash(); }

  // Owns a shard from now on: frames of it that are made later carry its epoch and go on where it ends.
  void take_over(std::uint32_t shard = 0);
  // A frame with one record for each instance named, each the next of its instance.
  Frame frame(const std::vector<std::string>& instances, std::uint32_t shard = 0);
  // Makes such a frame and appends it, which must work.
  void append(const std::vector<std::string>& instances, std::uint32_t shard = 0);
  void checkpoint(std::uint64_t through, std::uint32_t shard = 0);

  // The records of an instance as text, "1 2 3" by version, after it was checked that their bodies are their own.
  std::string records(const std::string& instance, std::uint64_t after = 0);
  // The frames of a shard as text: "1-2 3-3" by sequence.
  std::string tail(std::uint32_t shard = 0);
  std::string instances();
  std::string problems();

  // Anything that went well; otherwise fails the test with the error.
  template <typename T>
  static T good(Stored<T> result) {
    EXPECT_TRUE(result.has_value()) << result.error().message;
    if (!result) throw std::runtime_error(result.error().message);
    if constexpr (!std::is_void_v<T>) return std::move(*result);
  }

 private:
  struct Written {
    std::uint64_t version = 0;
    RecordHash hash = {};
  };
  struct Owned {
    std::uint64_t epoch = 0;
    std::uint64_t next_seq = 1;
  };
  std::unique_ptr<StoreHome> home_;
  std::map<std::string, Written> written_;
  std::map<std::uint32_t, Owned> owned_;
};

Instant at(std::int64_t seconds);

}  // namespace stepwell
