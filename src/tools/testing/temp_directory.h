#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace stepwell::testing {

// A directory of its own for one test, gone with everything in it at the end.
class TempDirectory {
 public:
  TempDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "stepwell-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempDirectory() { std::filesystem::remove_all(path_); }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream(file(name), std::ios::binary) << content;
  }

 private:
  std::string path_;
};

}  // namespace stepwell::testing
