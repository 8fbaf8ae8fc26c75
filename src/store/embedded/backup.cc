#include "stepwell/store/embedded/backup.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

#include "stepwell/store/embedded/database.h"

namespace stepwell {
namespace {

Stored<> copy_segment(const JournalSegment& segment, std::uint64_t bytes, const std::string& path) {
  constexpr std::uint64_t kPiece = 1u << 20;
  const auto file = open_file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!file) return std::unexpected(file.error());
  for (std::uint64_t at = 0; at < bytes; at += kPiece) {
    const auto piece = segment.read(at, static_cast<std::size_t>(std::min(kPiece, bytes - at)));
    if (!piece) return std::unexpected(piece.error());
    if (auto written = write_file(*file, path, at, *piece); !written) return written;
  }
  return sync_file(*file, path);
}

Stored<> copy_journal(const Journal::Extent& extent, const std::string& directory) {
  if (auto made = make_directory(directory); !made) return made;
  for (const auto& segment : extent.segments) {
    const std::uint64_t bytes = segment == extent.segments.back() ? extent.end : segment->bytes();
    const std::string name = std::filesystem::path(segment->path()).filename().string();
    if (auto copied = copy_segment(*segment, bytes, directory + "/" + name); !copied) return copied;
  }
  return sync_directory(directory);
}

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

Stored<> copy_store(Journal& journal, const std::string& database, const std::string& directory) {
  const auto connection = Connection::open(database, Connection::Mode::read);
  if (!connection) return std::unexpected(connection.error());
  // Reading once within a transaction fixes what this connection sees from then on. While nothing is appended, that is
  // everything that the journal up to here relies on, and nothing that relies on what comes later.
  Stored<> fixed = {};
  const Journal::Extent extent = journal.pause([&] { fixed = (*connection)->run("begin; select count(*) from meta"); });
  if (!fixed) return fixed;
  if (auto copied = (*connection)->copy_to(directory + "/stepwell.db"); !copied) return copied;
  if (auto copied = copy_journal(extent, directory + "/journal"); !copied) return copied;
  return sync_directory(directory);
}

}  // namespace

Stored<> write_backup(Journal& journal, const std::string& database, const std::string& directory) {
  std::error_code error;
  if (std::filesystem::exists(directory, error)) {
    return std::unexpected(StoreError{.kind = StoreError::Kind::invalid,
                                      .message = fmt::format("'{}' is there already; name a new one", directory)});
  }
  // It gets its name when it is whole, so that no half of one is ever taken for a store. What an interrupted one left
  // is removed by the next.
  const std::string partial = without_slashes(directory) + ".stepwell-partial";
  std::filesystem::remove_all(partial, error);
  if (auto made = make_directory(partial); !made) return made;
  if (auto copied = copy_store(journal, database, partial); !copied) return copied;
  std::filesystem::rename(partial, directory, error);
  if (error) return std::unexpected(file_error("rename", partial, error.value()));
  return sync_directory(std::filesystem::absolute(without_slashes(directory), error).parent_path().string());
}

}  // namespace stepwell
