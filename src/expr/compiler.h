#pragma once

#include <expected>
#include <string_view>

#include "stepwell/expr/error.h"
#include "stepwell/expr/program.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

// Folds constants, resolves names, filters and arguments, and lays the tree out for the evaluator. An unknown filter,
// test, function, method or argument is an error here, wherever it stands.
std::expected<Program, ExprError> compile(const Tree& tree);

// Reads and compiles: the usual way in.
std::expected<Program, ExprError> compile_expression(std::string_view source);
std::expected<Program, ExprError> compile_template(std::string_view source);

}  // namespace stepwell
