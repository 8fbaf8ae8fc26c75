#include "stepwell/base/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

#include "stepwell/base/check.h"

namespace stepwell {
namespace {

// The power of ten that an exponent such as "+12" means. One beyond all reason stays beyond all texts' lengths.
std::int64_t read_exponent(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec == std::errc::result_out_of_range) {
    constexpr std::int64_t kBeyond = std::numeric_limits<std::int64_t>::max() / 2;
    return text.starts_with('-') ? -kBeyond : kBeyond;
  }
  return exponent;
}

// Whether the first digit that counts stands left of the decimal point, once the exponent has moved the point.
bool is_large(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::int64_t>(std::min(digits.find_first_of("123456789"), digits.size()));
  return point - first + (e == std::string_view::npos ? 0 : read_exponent(text.substr(e + 1))) > 0;
}

}  // namespace

double read_decimal(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  CHECK(error != std::errc::invalid_argument && end == text.data() + text.size());
  if (error != std::errc::result_out_of_range) return value;
  const double magnitude = is_large(text) ? std::numeric_limits<double>::infinity() : 0.0;
  return text.starts_with('-') ? -magnitude : magnitude;
}

}  // namespace stepwell
