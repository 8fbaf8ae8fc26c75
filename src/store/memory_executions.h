#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "stepwell/store/rows.h"
#include "stepwell/store/store_error.h"

namespace stepwell {

// The rows of executions of the store in memory. Not synchronised.
class MemoryExecutions {
 public:
  void put(const ExecutionRow& row);
  void erase(const std::string& id) { rows_.erase(id); }
  void clear() { rows_.clear(); }

  std::optional<ExecutionRow> find(std::string_view id) const;
  Stored<ExecutionPage> find(const ExecutionQuery& query) const;
  std::vector<ExecutionRow> find_due(std::uint32_t shard, Instant until, std::uint32_t limit) const;
  std::vector<ExecutionRow> find_awake(std::uint32_t shard, std::string_view after, std::uint32_t limit) const;

 private:
  struct Kept {
    std::uint64_t arrival = 0;  // decides between two that started at the same instant
    ExecutionRow row = {};
  };
  std::map<std::string, Kept, std::less<>> rows_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace stepwell
