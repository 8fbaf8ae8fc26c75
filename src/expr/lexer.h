#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "stepwell/expr/error.h"
#include "stepwell/expr/token.h"

namespace stepwell {

// Splits a bare expression. The last token is `end`.
std::expected<std::vector<Lexeme>, ExprError> lex_expression(std::string_view source, std::size_t max_bytes);

// Splits a template: `data` between {{ }} and {% %}, comments dropped, `raw` blocks as data, white space trimmed where
// `-` asks for it. `\r\n` and `\r` in data become `\n`. The last token is `end`.
std::expected<std::vector<Lexeme>, ExprError> lex_template(std::string_view source, std::size_t max_bytes);

// Whether the text is one name: what may stand behind a dot. Keywords are names too.
bool is_name(std::string_view text);

}  // namespace stepwell
