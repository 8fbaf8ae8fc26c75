#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// What is between the quotes of a text literal, with Python's escapes resolved: \n \t \\ \' \" \a \b \f \r \v, octal,
// \xhh, \uhhhh, \Uhhhhhhhh, a backslash before a line break. Any other backslash stands for itself.
std::expected<std::string, std::string> unescape(std::string_view quoted);

struct NumberLiteral {
  Value value;           // null: 9223372036854775808, which fits only behind a minus
  std::size_t size = 0;  // bytes taken
};

// The number at the start of `text`, which starts with a digit: decimal, 0x, 0o, 0b, fractions and exponents, `_`
// between digits. Behind a dot only an integer is read (`x.1.2` is two subscripts).
std::expected<NumberLiteral, std::string> read_number(std::string_view text, bool after_dot);

}  // namespace stepwell
