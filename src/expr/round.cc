#include "stepwell/expr/round.h"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "stepwell/value/number.h"

namespace stepwell {
namespace {

// Rounds a whole number in digits to a multiple of 10^zeros. `more` says that a fraction follows the digits.
std::string rounded_digits(std::string digits, std::size_t zeros, bool more) {
  if (digits.size() < zeros) return "0";
  const std::size_t kept = digits.size() - zeros;
  const std::string_view dropped = std::string_view(digits).substr(kept);
  const bool tail = more || dropped.find_first_not_of('0', 1) != std::string_view::npos;
  const bool odd = kept > 0 && (digits[kept - 1] - '0') % 2 == 1;
  const bool up = dropped[0] > '5' || (dropped[0] == '5' && (tail || odd));
  digits.replace(kept, zeros, zeros, '0');
  if (!up) return kept == 0 ? "0" : digits;
  std::size_t at = kept;
  while (at > 0 && digits[at - 1] == '9') digits[--at] = '0';
  if (at == 0) {
    digits.insert(0, 1, '1');
  } else {
    ++digits[at - 1];
  }
  return digits;
}

}  // namespace

std::optional<double> round_real(double value, std::int64_t decimals) {
  // The bounds beyond which no double has a digit that could change.
  constexpr std::int64_t kMostDecimals = 323;
  constexpr std::int64_t kMostZeros = 308;
  if (decimals > kMostDecimals) return value;
  if (decimals < -kMostZeros) return std::copysign(0.0, value);
  std::string text;
  if (decimals >= 0) {
    text = fmt::format("{:.{}f}", std::fabs(value), decimals);
  } else {
    const double whole = std::floor(std::fabs(value));
    text = rounded_digits(fmt::format("{:.0f}", whole), static_cast<std::size_t>(-decimals), whole != std::fabs(value));
  }
  double result = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), result).ec != std::errc()) return std::nullopt;
  return std::copysign(result, value);
}

std::optional<std::int64_t> round_integer(std::int64_t value, std::int64_t decimals) {
  constexpr std::int64_t kMostDigits = 19;
  if (decimals >= 0) return value;
  if (decimals < -kMostDigits) return 0;
  std::string digits = fmt::format("{}", value);
  if (value < 0) digits.erase(0, 1);
  digits = rounded_digits(std::move(digits), static_cast<std::size_t>(-decimals), false);
  if (value < 0) digits.insert(0, 1, '-');
  std::int64_t result = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), result).ec != std::errc()) return std::nullopt;
  return result;
}

}  // namespace stepwell
