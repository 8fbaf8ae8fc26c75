#pragma once

#include <string_view>

#include "stepwell/expr/error.h"
#include "stepwell/value/value.h"

// The errors that reports of attempts carry: {class, kind, message, retryable, details}.
namespace stepwell {

namespace attempt_class {
inline constexpr std::string_view kEngine = "engine";
}

Value attempt_error(std::string_view error_class, std::string_view kind, std::string_view message, bool retryable);

// Of an expression that a worker evaluated. A secret that nobody knows is a matter of authorization.
Value expression_error_value(const ExprError& error);

// The error that a pipeline ended with, whoever made it, in the shape of a report. What an outcome tells beyond it, its
// code and how long to wait, becomes part of the details.
Value reported_error(const Value& error);

}  // namespace stepwell
