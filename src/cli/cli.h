#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "stepwell/cli/command.h"

namespace stepwell::cli {

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;  // `err` is a terminal.
};

// The whole program: takes out the global flags, runs the command that `arguments` (without the program's name) ask
// for, and turns whatever it throws into ExitCode::internal, which also says that the results could not be written.
ExitCode run(std::vector<std::string> arguments, Streams streams);

}  // namespace stepwell::cli
