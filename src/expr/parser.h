#pragma once

#include <cstddef>
#include <expected>
#include <string_view>

#include "stepwell/base/limits.h"
#include "stepwell/expr/error.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

struct ParseLimits {
  std::size_t source_bytes = limits::kExprSourceBytes;
  std::size_t nesting = limits::kExprNesting;
};

// Reads a bare expression, or one `{{ }}` with nothing but white space around it: the same tree either way.
std::expected<Tree, ExprError> parse_expression(std::string_view source, const ParseLimits& limits = {});

// Reads a template. One that is, white space aside, exactly one `{{ }}` gives the tree of that expression, which makes
// a value; anything else makes text.
std::expected<Tree, ExprError> parse_template(std::string_view source, const ParseLimits& limits = {});

// Whether a text has to be read as a template: it has {{, {% or {#.
bool looks_like_template(std::string_view source);

}  // namespace stepwell
