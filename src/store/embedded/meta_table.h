#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/store/embedded/database.h"
#include "stepwell/store/embedded/journal_scan.h"
#include "stepwell/store/store.h"

// What the database knows of the journal, how far projections have come, and what was deleted. Each function takes a
// connection whose mutex the caller holds.
namespace stepwell::meta_table {

Stored<KnownJournal> journal(Connection& connection);
// As Store::fix_shards. A store from before the number was kept has as many as were ever taken over.
Stored<std::uint32_t> fix_shards(Connection& connection, std::uint32_t wanted);
Stored<> put_epoch(Connection& connection, std::uint32_t shard, std::uint64_t epoch);
// A checkpoint: the shard's frames up to `through`, whose last has this hash, are released, and so are all appends
// before `needed_from`.
Stored<> put_released(Connection& connection, const ShardPosition& through, const Sha256Digest& hash,
                      std::uint64_t needed_from);
Stored<> put_acknowledged(Connection& connection, std::uint64_t write);

Stored<> put_position(Connection& connection, const ShardPosition& position);
Stored<std::vector<ShardPosition>> positions(Connection& connection);

// Instances that were deleted while the journal still had records of them, and the last of these records.
using Deleted = std::map<std::string, ShardPosition, std::less<>>;
Stored<Deleted> deleted(Connection& connection);
Stored<> put_deleted(Connection& connection, std::string_view instance, const ShardPosition& through);
// The journal has no longer any of their records.
Stored<> clear_deleted(Connection& connection, const ShardPosition& through);

}  // namespace stepwell::meta_table
