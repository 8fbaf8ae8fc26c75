#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/store/embedded/database.h"
#include "stepwell/store/rows.h"

// Definitions, blobs, artifacts, snapshots and dead letters. Each function takes a connection whose mutex the caller
// holds.
namespace stepwell::row_tables {

Stored<> put_definition(Connection& connection, const DefinitionRow& definition);
Stored<std::vector<DefinitionRow>> definitions(Connection& connection);

Stored<> put_blob(Connection& connection, std::string_view content, Instant at);
// `corrupt` if it is not what was put.
Stored<std::optional<std::string>> find_blob(Connection& connection, std::string_view hash);
// Some hashes, in hex and in order, of blobs that were put before `before`, after this one.
Stored<std::vector<std::string>> old_blobs(Connection& connection, Instant before, std::string_view after);
// Deletes it if it is still that old; answers its size.
Stored<std::optional<std::uint64_t>> erase_blob(Connection& connection, std::string_view hash, Instant before);

Stored<> put_artifact(Connection& connection, const ArtifactRow& artifact);
Stored<std::optional<ArtifactRow>> find_artifact(Connection& connection, std::string_view execution,
                                                 std::string_view name);
Stored<> each_artifact(Connection& connection, const std::function<void(const ArtifactRow&)>& visit);

Stored<> put_snapshots(Connection& connection, std::span<const SnapshotRow> snapshots);
Stored<std::optional<SnapshotRow>> find_snapshot(Connection& connection, std::string_view instance);

// What is kept of an instance besides its history and its row.
Stored<> erase_instance(Connection& connection, std::string_view instance);

Stored<> put_dead_letters(Connection& connection, std::span<const DeadLetterRow> letters);
Stored<std::vector<DeadLetterRow>> dead_letters(Connection& connection, std::uint32_t limit);

}  // namespace stepwell::row_tables
