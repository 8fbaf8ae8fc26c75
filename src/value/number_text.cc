#include "stepwell/value/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "stepwell/base/check.h"

namespace stepwell {
namespace {

// d.ddde±xx, taken apart: the digits without point, and the power of ten of the first one.
struct Decimal {
  std::array<char, 20> digits;
  std::size_t count = 0;
  int exponent = 0;

  std::string_view first(std::size_t n) const { return {digits.data(), n}; }
  std::string_view rest(std::size_t n) const { return {digits.data() + n, count - n}; }
};

Decimal shortest(double magnitude) {
  std::array<char, 32> buffer;
  const char* end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific).ptr;
  Decimal decimal;
  const char* p = buffer.data();
  for (; *p != 'e'; ++p) {
    if (*p != '.') decimal.digits[decimal.count++] = *p;
  }
  ++p;
  if (*p == '+') ++p;
  std::from_chars(p, end, decimal.exponent);
  return decimal;
}

void append_scientific(std::string& out, const Decimal& decimal) {
  out.append(decimal.first(1));
  if (decimal.count > 1) out.append(".").append(decimal.rest(1));
  out.append(decimal.exponent < 0 ? "e-" : "e+");
  const int power = std::abs(decimal.exponent);
  if (power < 10) out.push_back('0');
  append_int(out, power);
}

void append_fixed(std::string& out, const Decimal& decimal) {
  if (decimal.exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-decimal.exponent - 1), '0').append(decimal.first(decimal.count));
    return;
  }
  const auto whole = static_cast<std::size_t>(decimal.exponent) + 1;
  if (decimal.count > whole) {
    out.append(decimal.first(whole)).append(".").append(decimal.rest(whole));
  } else {
    out.append(decimal.first(decimal.count)).append(whole - decimal.count, '0').append(".0");
  }
}

}  // namespace

void append_real(std::string& out, double real) {
  CHECK(std::isfinite(real));
  if (std::signbit(real)) out.push_back('-');
  const Decimal decimal = shortest(std::fabs(real));
  if (decimal.exponent < -4 || decimal.exponent >= 16) {
    append_scientific(out, decimal);
  } else {
    append_fixed(out, decimal);
  }
}

void append_int(std::string& out, std::int64_t integer) {
  std::array<char, 24> buffer;
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), integer).ptr;
  out.append(buffer.data(), end);
}

}  // namespace stepwell
