#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "stepwell/cli/cli.h"

namespace stepwell::cli {

// What a command line did.
struct Ran {
  ExitCode code;
  std::string out, err;
};

// Runs command lines, in a folder of the test's own.
class CommandTest : public ::testing::Test {
 protected:
  // Documents that are right, as small as they can be.
  static constexpr const char* kGood = "workflow: [{step: ship}]\n";
  static constexpr const char* kSchedule = "kind: Schedule\ncron: '@daily'\nplaybook: tidy_up\n";

  CommandTest() { std::filesystem::create_directories(folder_); }
  ~CommandTest() override { std::filesystem::remove_all(folder_); }

  // `words` are the command itself, which the arguments follow.
  static Ran run_line(const std::vector<std::string>& words, const std::vector<std::string>& arguments,
                      const std::string& input = "", bool terminal = false) {
    std::vector<std::string> line = words;
    line.insert(line.end(), arguments.begin(), arguments.end());
    std::istringstream in(input);
    std::ostringstream out, err;
    const ExitCode code = run(std::move(line), {in, out, err, terminal});
    return {code, out.str(), err.str()};
  }

  std::string folder() const { return folder_.string(); }

  // The path of a file with this text; its name may lead into folders.
  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  // Of this process only: the same test of another build may run beside it.
  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("stepwell_test_" + std::to_string(::getpid()));
};

}  // namespace stepwell::cli
