#include "stepwell/store/embedded/file.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stepwell {
namespace {

std::unexpected<StoreError> refuse(std::string_view doing, const std::string& path) {
  return std::unexpected(file_error(doing, path, errno));
}

}  // namespace

StoreError file_error(std::string_view doing, const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return {.kind = full ? StoreError::Kind::full : StoreError::Kind::failed,
          .message = fmt::format("cannot {} '{}': {}", doing, path, std::generic_category().message(error))};
}

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) close(descriptor_);
}

Stored<FileHandle> open_file(const std::string& path, int flags) {
  FileHandle file(open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file) return refuse("open", path);
  return file;
}

Stored<std::uint64_t> file_size(const FileHandle& file, const std::string& path) {
  struct stat status = {};
  if (fstat(file.get(), &status) != 0) return refuse("look at", path);
  return static_cast<std::uint64_t>(status.st_size);
}

Stored<std::string> read_file(const FileHandle& file, const std::string& path, std::uint64_t offset,
                              std::size_t length) {
  std::string bytes(length, '\0');
  std::size_t done = 0;
  while (done < length) {
    const ssize_t got = pread(file.get(), bytes.data() + done, length - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse("read", path);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

Stored<> write_file(const FileHandle& file, const std::string& path, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return refuse("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return {};
}

Stored<> sync_file(const FileHandle& file, const std::string& path) {
  if (fdatasync(file.get()) != 0) return refuse("sync", path);
  return {};
}

Stored<> sync_directory(const std::string& path) {
  const auto directory = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!directory) return std::unexpected(directory.error());
  if (fsync(directory->get()) != 0) return refuse("sync", path);
  return {};
}

Stored<> make_directory(const std::string& path) {
  if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return refuse("create", path);
  return {};
}

}  // namespace stepwell
