#pragma once

#include <string>

#include "stepwell/store/embedded/file.h"

namespace stepwell {

// The one process that has a store. The system lets go of it when the process ends, however it ends, so that one that
// has crashed never stands in the way.
class DirectoryLock {
 public:
  // `held` if another process has it: the message names that process.
  static Stored<DirectoryLock> take(const std::string& directory);

 private:
  explicit DirectoryLock(FileHandle file) : file_(std::move(file)) {}
  FileHandle file_;
};

}  // namespace stepwell
