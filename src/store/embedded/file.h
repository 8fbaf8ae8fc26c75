#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "stepwell/store/store_error.h"

// Files, with errors that say which.
namespace stepwell {

// `full` if errno says that there is no space, otherwise `failed`. `doing` is a phrase: "write".
StoreError file_error(std::string_view doing, const std::string& path, int error);

// Owns a descriptor.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileHandle();

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// `flags` as open(2) takes them; never inherited by other programs.
Stored<FileHandle> open_file(const std::string& path, int flags);
Stored<std::uint64_t> file_size(const FileHandle& file, const std::string& path);
// As many of the bytes as there are.
Stored<std::string> read_file(const FileHandle& file, const std::string& path, std::uint64_t offset,
                              std::size_t length);
// All of the bytes; not durable until synced.
Stored<> write_file(const FileHandle& file, const std::string& path, std::uint64_t offset, std::string_view bytes);
Stored<> sync_file(const FileHandle& file, const std::string& path);
// Makes durable which files a directory has.
Stored<> sync_directory(const std::string& path);
Stored<> make_directory(const std::string& path);

}  // namespace stepwell
