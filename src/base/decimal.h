#pragma once

#include <string_view>

namespace stepwell {

// The double nearest to a decimal number such as "-1.5e-3": zero if it is too small, infinity if it is too large, with
// its sign. Unlike strtod it does not ask the locale what a decimal point is, and unlike from_chars it tells too small
// from too large. CHECKs that all of `text` is such a number.
double read_decimal(std::string_view text);

}  // namespace stepwell
