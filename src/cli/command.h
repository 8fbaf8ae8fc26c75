#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepwell::cli {

enum class ExitCode {
  ok = 0,  // Of an execution: completed.
  failed = 1,
  usage = 2,  // The command line or the definition it names is wrong.
  partial = 3,
  waiting = 4,  // An execution was left waiting or suspended; it can be resumed.
  cancelled = 5,
  internal = 70,
};

// Flags that every command takes, anywhere on the line before a bare "--".
struct GlobalFlags {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool color = false;      // Diagnostics go to a terminal and may be coloured.
  std::string store = {};  // A directory, or "memory"; empty: not said.
};

// One run of one command. Results go to `out`, everything else to `err`.
struct Call {
  std::string program;  // "stepwell eval": what was typed up to the arguments, to begin messages with.
  std::vector<std::string> arguments;
  GlobalFlags flags;
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;  // `err` is a terminal.
};

// A command is one file that defines one of these, and one line in commands.cc.
struct Command {
  std::string_view name;
  std::string_view summary;  // One line, without a full stop.
  std::string_view example;  // Lines to type, as help shows them.
  ExitCode (*run)(const Command&, Call&);
};

// Runs the command of `table` that the first argument names, with the rest as its arguments. Also for commands that
// have commands of their own ("stepwell value encode"). Help, a missing and an unknown name are answered here.
ExitCode dispatch(std::span<const Command* const> table, std::string_view summary, Call& call);

// What help says about the global flags.
inline constexpr std::string_view kEverywhere =
    "Every command also takes --store DIR|memory, --json, --quiet, --verbose and --no-color, anywhere on its line.";

// Prints "program: message" to the call's err.
void report(Call& call, std::string_view message);
// The same, for a command that ends with it.
ExitCode refuse(Call& call, std::string_view message);

}  // namespace stepwell::cli
