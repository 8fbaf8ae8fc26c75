#include "stepwell/value/number.h"

#include <cmath>

#include "stepwell/base/check.h"

namespace stepwell {

std::weak_ordering compare(std::int64_t integer, double real) {
  constexpr double kBeyond = 0x1p63;  // one more than the greatest integer, and exact
  if (real >= kBeyond) return std::weak_ordering::less;
  if (real < -kBeyond) return std::weak_ordering::greater;
  const double whole = std::trunc(real);
  const std::int64_t truncated = static_cast<std::int64_t>(whole);
  if (integer != truncated) return integer <=> truncated;
  if (real == whole) return std::weak_ordering::equivalent;
  return real > whole ? std::weak_ordering::less : std::weak_ordering::greater;
}

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> checked_sub(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> checked_pow(std::int64_t base, std::int64_t exponent) {
  CHECK(exponent >= 0);
  std::int64_t result = 1;
  while (true) {
    if (exponent % 2 == 1 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
    exponent /= 2;
    // The last square would not be used, and may not fit where the result does.
    if (exponent == 0) return result;
    if (__builtin_mul_overflow(base, base, &base)) return std::nullopt;
  }
}

std::optional<std::int64_t> checked_floor_div(std::int64_t dividend, std::int64_t divisor) {
  CHECK(divisor != 0);
  if (divisor == -1) return checked_sub(0, dividend);  // the least integer has no negative, and the processor traps
  const bool rounds_up = dividend % divisor != 0 && (dividend < 0) != (divisor < 0);
  return dividend / divisor - (rounds_up ? 1 : 0);
}

std::int64_t floor_mod(std::int64_t dividend, std::int64_t divisor) {
  CHECK(divisor != 0);
  if (divisor == -1) return 0;
  const std::int64_t rest = dividend % divisor;
  return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
}

}  // namespace stepwell
