#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "stepwell/value/schema/compare.h"

// multipleOf without rounding. A double stands for the shortest decimal that reads back as itself, at most 17 digits
// and a power of ten, and divisibility of such decimals is integer arithmetic.
namespace stepwell::schema {

namespace {

struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal without_trailing_zeros(Decimal number) {
  while (number.digits != 0 && number.digits % 10 == 0) {
    number.digits /= 10;
    ++number.exponent;
  }
  return number;
}

Decimal decimal_of_real(double real) {
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(real), std::chars_format::scientific);
  const std::string_view text(buffer, written.ptr);
  const std::size_t e = text.find('e');
  Decimal number;
  bool after_point = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    number.digits = number.digits * 10 + static_cast<std::uint64_t>(c - '0');
    if (after_point) --number.exponent;
  }
  int exponent = 0;
  const char* start = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(start, written.ptr, exponent);
  number.exponent += exponent;
  return without_trailing_zeros(number);
}

Decimal magnitude(const Value& number) {
  if (number.is_real()) return decimal_of_real(number.as_real());
  const std::int64_t integer = number.as_int();
  const auto bits = static_cast<std::uint64_t>(integer);
  return without_trailing_zeros({.digits = integer < 0 ? 0 - bits : bits});
}

__extension__ using Wide = unsigned __int128;

// (digits * 10^power) mod divisor
std::uint64_t scaled_remainder(std::uint64_t digits, int power, std::uint64_t divisor) {
  Wide result = digits % divisor;
  Wide factor = 10 % divisor;
  for (; power > 0; power /= 2) {
    if (power % 2 == 1) result = result * factor % divisor;
    factor = factor * factor % divisor;
  }
  return static_cast<std::uint64_t>(result);
}

}  // namespace

bool is_multiple(const Value& number, const Value& divisor) {
  if (number.is_int() && divisor.is_int()) return number.as_int() % divisor.as_int() == 0;
  const Decimal dividend = magnitude(number);
  const Decimal unit = magnitude(divisor);
  if (dividend.digits == 0) return true;
  const int power = dividend.exponent - unit.exponent;
  // Without trailing zeros the dividend has no factor ten left that a coarser unit would need.
  if (power < 0) return false;
  return scaled_remainder(dividend.digits, power, unit.digits) == 0;
}

}  // namespace stepwell::schema
