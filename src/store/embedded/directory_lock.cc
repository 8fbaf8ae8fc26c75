#include "stepwell/store/embedded/directory_lock.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace stepwell {
namespace {

constexpr std::size_t kLongestHolder = 1'000;

// "123 (stepwell run order.yaml)"
std::string this_process() {
  std::string command;
  if (const auto file = open_file("/proc/self/cmdline", O_RDONLY)) {
    command = read_file(*file, "", 0, kLongestHolder / 2).value_or("");
  }
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::ranges::replace(command, '\0', ' ');
  std::ranges::replace(command, '\n', ' ');
  return fmt::format("{} ({})", getpid(), command);
}

}  // namespace

Stored<DirectoryLock> DirectoryLock::take(const std::string& directory) {
  const std::string path = directory + "/lock";
  auto file = open_file(path, O_RDWR | O_CREAT);
  if (!file) return std::unexpected(file.error());
  if (flock(file->get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return std::unexpected(file_error("lock", path, errno));
    const std::string holder = read_file(*file, path, 0, kLongestHolder).value_or("");
    return std::unexpected(
        StoreError{.kind = StoreError::Kind::held,
                   .message = fmt::format("the store '{}' is in use by process {}", directory,
                                          holder.empty() ? "unknown" : holder.substr(0, holder.find('\n')))});
  }
  if (ftruncate(file->get(), 0) != 0) return std::unexpected(file_error("write", path, errno));
  if (auto written = write_file(*file, path, 0, this_process() + "\n"); !written) {
    return std::unexpected(written.error());
  }
  return DirectoryLock(std::move(*file));
}

}  // namespace stepwell
