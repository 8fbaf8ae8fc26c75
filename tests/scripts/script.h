#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwell {

// One command of a script and the output it should have.
struct ScriptCommand {
  std::size_t line = 1;            // where it begins, for people
  std::vector<std::string> words;  // its first line
  std::string body;                // the lines after it, each with its newline
  std::string output;              // the lines after the ----, each with its newline
};

// A text that is documentation and test at once:
//
//   # Prose, kept as it is.
//
//   command word word
//   body, any lines
//   ----
//   output, up to a blank line
//
// A body may have blank lines, an output has none.
struct Script {
  std::vector<std::string> prose;  // what stands before each command, and after the last
  std::vector<std::string> heads;  // the first line of each command, as written
  std::vector<ScriptCommand> commands;

  // Says what is wrong if a command has no ----.
  static std::expected<Script, std::string> parse(std::string_view text);
  // The text again: what parse() read, if nothing was changed.
  std::string to_string() const;
};

// What a command prints: lines that each end with a newline.
using RunCommand = std::function<std::string(const ScriptCommand&)>;

// Runs all commands in order and puts what they print in the place of their output. Answers what was different from
// before, for people, or nothing.
std::string run_script(Script& script, std::string_view file, const RunCommand& run);

}  // namespace stepwell
