#pragma once

#include "stepwell/cli/command.h"
#include "stepwell/expr/error.h"
#include "stepwell/value/value.h"

namespace stepwell::cli {

// Evaluates each line of the call's input (batch.h): {"template" or "expr": "...", "context": {...}}.
ExitCode evaluate_lines(Call& call);

// {"code", "message", "expression", "line", "column", "detail"?, "path"?}
Value error_value(const ExprError& error);

}  // namespace stepwell::cli
