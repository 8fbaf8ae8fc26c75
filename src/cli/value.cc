#include "stepwell/cli/commands.h"
#include "stepwell/cli/value_commands.h"

namespace stepwell::cli {
namespace {

ExitCode run_value(const Command& command, Call& call) {
  static constexpr const Command* kTable[] = {
      &kValueEncode,
      &kValueDecode,
      &kValueHash,
      &kValueCheck,
  };
  return dispatch(kTable, command.summary, call);
}

}  // namespace

const Command kValue = {"value", "encode, decode, hash and check values", "stepwell value hash < order.json",
                        run_value};

}  // namespace stepwell::cli
