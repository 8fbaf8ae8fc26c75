#include "stepwell/cli/commands.h"

namespace stepwell::cli {

std::span<const Command* const> commands() {
  static constexpr const Command* kCommands[] = {
      &kValidate, &kCanonical, &kGraph, &kEval, &kValue,
  };
  return kCommands;
}

}  // namespace stepwell::cli
