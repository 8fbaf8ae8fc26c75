#pragma once

#include <expected>
#include <string>

// What the machine itself can do, measured in the same run and on the same disk as the engine: numbers of two machines
// cannot be compared, ratios can.
namespace stepwell::cli {

// Seconds that a write of 4 KiB into a file that has its blocks already, and its fdatasync, take: the median of many.
std::expected<double, std::string> sync_floor(const std::string& directory);
// Rows of 200 bytes a second that SQLite stores with 100 rows to a commit, every commit synced.
std::expected<double, std::string> sqlite_floor(const std::string& directory);

}  // namespace stepwell::cli
