#include "stepwell/cli/problem.h"

#include <ostream>

namespace stepwell::cli {

ExitCode report(Call& call, const Problem& problem) {
  if (problem.code == "invalid_definition") {
    // Lines with places of their own, as validate prints them.
    call.err << problem.message << '\n';
    return ExitCode::usage;
  }
  report(call, problem.message);
  if (problem.code.starts_with("store_") || problem.code == "holder_gone" || problem.code == "unknown" ||
      problem.code == "stopped") {
    return ExitCode::internal;
  }
  return problem.code == "invalid" || problem.code == "not_found" ? ExitCode::usage : ExitCode::failed;
}

}  // namespace stepwell::cli
