#pragma once

#include <span>

#include "stepwell/cli/command.h"

namespace stepwell::cli {

extern const Command kValidate;
extern const Command kCanonical;
extern const Command kGraph;
extern const Command kEval;
extern const Command kValue;

// Every command, in the order in which help lists them.
std::span<const Command* const> commands();

}  // namespace stepwell::cli
