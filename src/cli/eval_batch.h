#pragma once

#include "stepwell/cli/command.h"
#include "stepwell/expr/error.h"
#include "stepwell/value/value.h"

namespace stepwell::cli {

// Answers every line of the call's input with one line, in order. A line that cannot be read is answered with an error
// too, so that lines in and out always match.
ExitCode evaluate_lines(Call& call);

// {"code", "message", "expression", "line", "column", "path"?}
Value error_value(const ExprError& error);

}  // namespace stepwell::cli
