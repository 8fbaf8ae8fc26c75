#pragma once

#include <compare>
#include <cstdint>
#include <optional>

// Arithmetic and comparison of 64-bit integers and doubles without surprises, as Python has them.
namespace stepwell {

// Exact: neither number is rounded to the other's type, so 2^53 + 1 is greater than 2^53 as a double. `real` is finite.
std::weak_ordering compare(std::int64_t integer, double real);

// Each answers nothing if the result does not fit 64 bits.
std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_sub(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b);
// CHECKs that the exponent is not negative. 0 to the power of 0 is 1.
std::optional<std::int64_t> checked_pow(std::int64_t base, std::int64_t exponent);
// The quotient rounded down, not towards zero: -7 over 2 is -4. CHECKs that the divisor is not 0.
std::optional<std::int64_t> checked_floor_div(std::int64_t dividend, std::int64_t divisor);

// What floor division leaves; it has the divisor's sign: -7 modulo 2 is 1. CHECKs that the divisor is not 0.
std::int64_t floor_mod(std::int64_t dividend, std::int64_t divisor);

}  // namespace stepwell
