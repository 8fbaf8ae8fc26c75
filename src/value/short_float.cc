#include "stepwell/value/short_float.h"

#include <bit>
#include <cmath>
#include <limits>

namespace stepwell {
namespace {

constexpr int kFractionBits = 10;
constexpr int kLeastExponent = -14;  // of a normal number; subnormal ones are multiples of 2^-24
constexpr int kGreatestExponent = 15;
constexpr unsigned kSpecial = 31;  // the exponent field of infinities and NaN

}  // namespace

double half_to_double(std::uint16_t bits) {
  const unsigned exponent = bits >> kFractionBits & 0x1Fu;
  const unsigned fraction = bits & 0x3FFu;
  double magnitude;
  if (exponent == kSpecial) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, kLeastExponent - kFractionBits);
  } else {
    magnitude = std::ldexp(fraction | 0x400u, static_cast<int>(exponent) + kLeastExponent - 1 - kFractionBits);
  }
  return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

std::optional<std::uint16_t> exact_half(double real) {
  constexpr int kDroppedBits = 52 - kFractionBits;
  const auto bits = std::bit_cast<std::uint64_t>(real);
  const auto sign = static_cast<unsigned>(bits >> 63) << 15;
  if (real == 0) return static_cast<std::uint16_t>(sign);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FFu) - 1023;
  if (exponent > kGreatestExponent || exponent < kLeastExponent - kFractionBits) return std::nullopt;
  // A subnormal half has no hidden bit and so fewer places for the fraction.
  const bool normal = exponent >= kLeastExponent;
  const int dropped = normal ? kDroppedBits : kDroppedBits + kLeastExponent - exponent;
  const std::uint64_t significand = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
  if ((significand & ((std::uint64_t{1} << dropped) - 1)) != 0) return std::nullopt;
  const auto fraction = static_cast<unsigned>(significand >> dropped) & 0x3FFu;
  const unsigned biased = normal ? static_cast<unsigned>(exponent - kLeastExponent + 1) : 0u;
  return static_cast<std::uint16_t>(sign | biased << kFractionBits | fraction);
}

bool is_exact_single(double real) {
  return std::fabs(real) <= std::numeric_limits<float>::max() && static_cast<float>(real) == real;
}

}  // namespace stepwell
