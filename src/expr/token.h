#pragma once

#include <cstdint>
#include <string_view>

#include "stepwell/expr/error.h"
#include "stepwell/value/value.h"

namespace stepwell {

enum class TokenType : std::uint8_t {
  // Parts of a template.
  data,         // text as it is; `value` holds it, white space already trimmed
  print_begin,  // {{
  print_end,    // }}
  tag_begin,    // {%
  tag_end,      // %}
  // Parts of an expression.
  name,
  text,
  integer,
  lowest,  // 9223372036854775808, an integer only behind a minus
  real,
  add,
  subtract,
  multiply,
  power,
  divide,
  floor_divide,
  modulo,
  tilde,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  assign,
  dot,
  comma,
  colon,
  pipe,
  open_paren,
  close_paren,
  open_bracket,
  close_bracket,
  open_brace,
  close_brace,
  end,
};

// For messages: "'+'", "a name", "the end".
std::string_view token_word(TokenType type);

struct Lexeme {
  TokenType type = TokenType::end;
  Span span;
  Value value;  // name, text, integer, real, data
};

}  // namespace stepwell
