#pragma once

#include <cstdint>
#include <optional>

namespace stepwell {

// The IEEE 754 half-precision number (binary16) with these bits, as a double: infinities and NaN included.
double half_to_double(std::uint16_t bits);

// The bits of the half-precision number that is exactly this finite number, sign of zero included, if there is one.
std::optional<std::uint16_t> exact_half(double real);

// Whether this finite number is exactly a single-precision one.
bool is_exact_single(double real);

}  // namespace stepwell
