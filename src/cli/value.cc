#include "stepwell/cli/commands.h"
#include "stepwell/cli/options.h"

namespace stepwell::cli {
namespace {

ExitCode run_value(const Command& command, Call& call) {
  if (auto ended = Options(command).parse(call)) return *ended;
  report(call, "not built yet");
  return ExitCode::kInternal;
}

}  // namespace

const Command kValue = {"value", "encode, decode, hash and check values", "stepwell value hash < order.json",
                        run_value};

}  // namespace stepwell::cli
