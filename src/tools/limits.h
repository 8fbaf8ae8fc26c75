#pragma once

#include <cstddef>

// The bounds that tools and what they talk to can meet.
namespace stepwell::limits {

// What a tool may answer with, and how much of what it puts out while it runs is shown at once.
inline constexpr std::size_t kResultBytes = 16u << 20;
inline constexpr std::size_t kProgressBytes = 4u << 10;

// A script of the lua tool: the instructions it may take and the memory it may hold.
inline constexpr unsigned long long kLuaInstructions = 200'000'000;
inline constexpr std::size_t kLuaBytes = 64u << 20;

// How many redirects a request follows.
inline constexpr long kHttpRedirects = 10;

// The tasks that the report of one attempt lists, the latest.
inline constexpr std::size_t kReportedTasks = 1'000;

}  // namespace stepwell::limits
