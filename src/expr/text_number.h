#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "stepwell/expr/fault.h"

// Numbers in text as Python's int() and float() read them: white space around, `_` between digits, digits of any
// script.
namespace stepwell {

// Nothing: the text is no integer in this base, or there is no such base (2 to 36, or 0: by its prefix). A number
// beyond 64 bits is an overflow fault.
OrFault<std::optional<std::int64_t>> read_integer(std::string_view text, std::int64_t base);

// Nothing: the text is no number. "inf", "nan" and what is too large are not finite.
std::optional<double> read_real(std::string_view text);

}  // namespace stepwell
