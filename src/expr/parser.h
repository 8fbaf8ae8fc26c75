#pragma once

#include <expected>
#include <string_view>

#include "stepwell/expr/error.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

// Reads a bare expression, or one `{{ }}` with nothing but white space around it: the same tree either way.
std::expected<Tree, ExprError> parse_expression(std::string_view source);

// Reads a template. One that is, white space aside, exactly one `{{ }}` gives the tree of that expression, which makes
// a value; anything else makes text.
std::expected<Tree, ExprError> parse_template(std::string_view source);

// Whether a text has to be read as a template: it has {{, {% or {#.
bool looks_like_template(std::string_view source);

}  // namespace stepwell
