#include "stepwell/compile/core_schema.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "stepwell/base/decimal.h"

namespace stepwell {
namespace {

using Resolved = std::optional<std::expected<Value, CoreProblem>>;

constexpr std::string_view kDigits = "0123456789";

bool one_of(std::string_view text, std::string_view lower, std::string_view title, std::string_view upper) {
  return text == lower || text == title || text == upper;
}

// Takes the leading digits off the text.
std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of(kDigits));
  text.remove_prefix(digits.size());
  return digits;
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text;
}

std::expected<Value, CoreProblem> integer(std::string_view digits, int base) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto read = std::from_chars(digits.begin(), digits.end(), number, base);
  if (read.ec != std::errc()) return std::unexpected(CoreProblem::integer_out_of_range);
  return number;
}

Resolved as_integer(std::string_view text) {
  const auto only = [](std::string_view digits, std::string_view set) {
    return !digits.empty() && digits.find_first_not_of(set) == std::string_view::npos;
  };
  if (only(without_sign(text), kDigits)) return integer(text, 10);
  if (text.starts_with("0o") && only(text.substr(2), "01234567")) return integer(text.substr(2), 8);
  if (text.starts_with("0x") && only(text.substr(2), "0123456789abcdefABCDEF")) return integer(text.substr(2), 16);
  return std::nullopt;
}

// The number as read_decimal takes it, with a digit on each side of the point, or nothing if it is none.
std::optional<std::string> decimal(std::string_view text) {
  std::string out = text.starts_with('-') ? "-" : "";
  std::string_view rest = without_sign(text);
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  out.append(whole.empty() ? "0" : whole).append(".").append(fraction.empty() ? "0" : fraction);
  if (rest.empty()) return out;
  if (!rest.starts_with('e') && !rest.starts_with('E')) return std::nullopt;
  rest.remove_prefix(1);
  const bool small = rest.starts_with('-');
  rest = without_sign(rest);
  const std::string_view exponent = take_digits(rest);
  if (exponent.empty() || !rest.empty()) return std::nullopt;
  return out.append(small ? "e-" : "e").append(exponent);
}

Resolved as_real(std::string_view text) {
  if (one_of(without_sign(text), ".inf", ".Inf", ".INF")) return std::unexpected(CoreProblem::infinite);
  if (one_of(text, ".nan", ".NaN", ".NAN")) return std::unexpected(CoreProblem::not_a_number);
  const auto written = decimal(text);
  if (!written) return std::nullopt;
  const double real = read_decimal(*written);
  if (!std::isfinite(real)) return std::unexpected(CoreProblem::number_out_of_range);
  return real;
}

}  // namespace

std::expected<Value, CoreProblem> resolve_core(std::string_view plain) {
  if (plain.empty() || plain == "~" || one_of(plain, "null", "Null", "NULL")) return nullptr;
  if (one_of(plain, "true", "True", "TRUE")) return true;
  if (one_of(plain, "false", "False", "FALSE")) return false;
  if (auto found = as_integer(plain)) return *found;
  if (auto found = as_real(plain)) return *found;
  return plain;
}

}  // namespace stepwell
