#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "stepwell/store/embedded/database.h"
#include "stepwell/store/rows.h"

// The table of executions. Each function takes a connection whose mutex the caller holds.
namespace stepwell::execution_table {

Stored<> put(Connection& connection, std::span<const ExecutionRow> rows);
Stored<> erase(Connection& connection, std::string_view id);

Stored<std::optional<ExecutionRow>> find(Connection& connection, std::string_view id);
Stored<ExecutionPage> find(Connection& connection, const ExecutionQuery& query);
Stored<std::vector<ExecutionRow>> find_due(Connection& connection, std::uint32_t shard, Instant until,
                                           std::uint32_t limit);
Stored<std::vector<ExecutionRow>> find_awake(Connection& connection, std::uint32_t shard, std::string_view after,
                                             std::uint32_t limit);

}  // namespace stepwell::execution_table
