#include <csignal>
#include <iostream>

#include <unistd.h>

#include "stepwell/cli/cli.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // A file that may not grow is a full disk like any other: an answer, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  return static_cast<int>(
      stepwell::cli::run({argv + 1, argv + argc},
                         {.in = std::cin, .out = std::cout, .err = std::cerr, .terminal = isatty(STDERR_FILENO) == 1}));
}
