#include "stepwell/cli/bench/floors.h"

#include <filesystem>
#include <vector>

#include <fcntl.h>

#include "stepwell/cli/bench/measure.h"
#include "stepwell/store/embedded/database.h"
#include "stepwell/store/embedded/file.h"

namespace stepwell::cli {

namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::size_t kBlocks = 1024;
constexpr std::size_t kSyncs = 300;
constexpr int kRowsPerCommit = 100;
constexpr std::size_t kRowBytes = 200;
constexpr double kSqliteSeconds = 1;

std::vector<double> sync_times(const FileHandle& file, const std::string& path, Stored<>& result) {
  const std::string block(kBlock, 'x');
  std::vector<double> times;
  times.reserve(kSyncs);
  for (std::size_t i = 0; i < kSyncs && result; ++i) {
    const Stopwatch watch;
    result = write_file(file, path, i % kBlocks * kBlock, block);
    if (result) result = sync_file(file, path);
    times.push_back(watch.seconds());
  }
  return times;
}

}  // namespace

std::expected<double, std::string> sync_floor(const std::string& directory) {
  const std::string path = directory + "/floor";
  const auto file = open_file(path, O_RDWR | O_CREAT | O_TRUNC);
  if (!file) return std::unexpected(file.error().message);
  Stored<> result = write_file(*file, path, 0, std::string(kBlocks * kBlock, '\0'));
  if (result) result = sync_file(*file, path);
  const Sorted times(sync_times(*file, path, result));
  std::filesystem::remove(path);
  if (!result) return std::unexpected(result.error().message);
  return times.at(0.5);
}

std::expected<double, std::string> sqlite_floor(const std::string& directory) {
  const std::string path = directory + "/floor.db";
  auto opened = Connection::open(path, Connection::Mode::create);
  if (!opened) return std::unexpected(opened.error().message);
  Connection& database = **opened;
  const std::string body(kRowBytes, 'x');
  double rows = 0;
  Stored<> result = database.run("create table if not exists rows (id integer primary key, body blob not null)");
  const Stopwatch watch;
  while (result && watch.seconds() < kSqliteSeconds) {
    result = database.transaction(Connection::Sync::yes, [&]() -> Stored<> {
      Query insert(database, "insert into rows (body) values (?)");
      for (int i = 0; i < kRowsPerCommit; ++i) {
        if (auto inserted = insert.bind(Bytes{body}).run(); !inserted) return inserted;
      }
      return {};
    });
    rows += kRowsPerCommit;
  }
  const double rate = rows / watch.seconds();
  opened->reset();
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path + suffix);
  if (!result) return std::unexpected(result.error().message);
  return rate;
}

}  // namespace stepwell::cli
