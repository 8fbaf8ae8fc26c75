#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "stepwell/tools/tool.h"

namespace stepwell {

// A program to run, in a process group of its own.
struct ChildProgram {
  std::vector<std::string> argv = {};                                 // argv[0] is looked up in PATH of `environment`
  std::vector<std::pair<std::string, std::string>> environment = {};  // all of it
  std::string directory = {};                                         // empty: where we are
  std::string input = {};                                             // what it reads from its standard input
  bool answers = false;                                               // it may write to descriptor 3, too
  std::optional<ToolTime> deadline = {};
  std::stop_token stop = {};
  std::size_t output_bytes = 0;  // the most it may write to any of its outputs
  // Takes what it writes to its standard output and error, as it comes, in pieces of any size.
  std::function<void(std::string_view)> progress = {};
};

struct ChildEnd {
  enum class Why : std::uint8_t { exited, killed, timed_out, stopped, too_large };
  Why why = Why::exited;
  int code = 0;  // exited: its exit code; killed: the signal that somebody else sent
  std::string output = {};
  std::string errors = {};
  std::string answer = {};
};

// Runs a program to its end and gives what it wrote, or the reason why it could not be started. Waits. When its time is
// over, nobody waits for it any more, or it writes too much, its whole process group is asked to end (SIGTERM) and,
// after a moment, killed. When it has ended by itself, what it left behind in its group is killed.
std::expected<ChildEnd, std::string> run_child(const ChildProgram& program);

// PATH, HOME and LANG as we have them.
std::vector<std::pair<std::string, std::string>> base_environment();

}  // namespace stepwell
