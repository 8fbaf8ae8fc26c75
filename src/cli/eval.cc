#include "stepwell/cli/commands.h"
#include "stepwell/cli/options.h"

namespace stepwell::cli {
namespace {

ExitCode run_eval(const Command& command, Call& call) {
  if (auto ended = Options(command).parse(call)) return *ended;
  report(call, "not built yet");
  return ExitCode::kInternal;
}

}  // namespace

const Command kEval = {"eval", "evaluate an expression or a template", "stepwell eval '1 + 1'", run_eval};

}  // namespace stepwell::cli
