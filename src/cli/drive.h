#pragma once

#include <optional>
#include <string>

#include "stepwell/cli/command.h"
#include "stepwell/cli/session.h"

namespace stepwell::cli {

struct DriveOptions {
  std::optional<bool> wait = {};           // stay while only somebody outside can move it; none: on a terminal
  std::optional<std::string> events = {};  // a file for JSON lines; "-" is the standard output
  std::int64_t known_version = 0;          // what has happened up to here is not told again
};

// Options of all commands that drive.
class Options;
struct DriveFlags {
  bool wait = false;
  bool no_wait = false;
  std::optional<std::string> events = {};

  void declare(Options& options);
  // Says what is wrong with them.
  std::optional<std::string> problem() const;
  DriveOptions options() const;
};

// Stays with an execution until it has ended, Ctrl-C, or until nothing but somebody outside can move it and nobody
// wants to wait for that. Shows what happens, prints the output, and answers the exit code of its end.
ExitCode drive(Call& call, Session& session, const std::string& execution, const DriveOptions& options);

}  // namespace stepwell::cli
