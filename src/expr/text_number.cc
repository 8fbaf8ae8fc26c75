#include "stepwell/expr/text_number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "stepwell/base/ascii.h"
#include "stepwell/base/decimal.h"
#include "stepwell/base/utf8.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/text_case.h"
#include "stepwell/expr/text_parts.h"
#include "stepwell/expr/unicode.h"
#include "stepwell/value/number.h"

namespace stepwell {
namespace {

// In ASCII and without white space around it; digits of other scripts become 0 to 9. What is not a digit stays
// something that no number contains.
std::string plain(std::string_view text) {
  std::string out;
  const std::string_view inner = stripped(text);
  for (std::size_t at = 0; at < inner.size();) {
    const char32_t c = next_code_point(inner, at);
    const int digit = decimal_digit(c);
    out += digit >= 0 ? static_cast<char>('0' + digit) : c < 0x80 ? static_cast<char>(c) : '?';
  }
  return out;
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

std::int64_t base_of_prefix(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1]) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 0;
  }
}

// Takes `_` away where a digit stands on both sides; false if one stands elsewhere.
template <typename IsDigit>
bool take_underscores(std::string& text, IsDigit is_digit) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return false;
    }
  }
  text = std::move(out);
  return true;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_ascii_digit(text[at])) ++at;
  return at;
}

// digits [. digits] [e [sign] digits], with digits on one side of the point at least.
bool is_decimal(std::string_view text) {
  std::size_t at = skip_digits(text, 0);
  std::size_t digits = at;
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = skip_digits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  return at < text.size() && skip_digits(text, at) == text.size();
}

std::unexpected<Fault> too_large(std::string_view text) {
  return fault(FaultCode::overflow, fmt::format("the integer {} does not fit 64 bits", utf8::cut(text, 60)));
}

}  // namespace

OrFault<std::optional<std::int64_t>> read_integer(std::string_view text, std::int64_t base) {
  if (base != 0 && (base < 2 || base > 36)) return std::nullopt;
  const std::string whole = plain(text);
  std::string_view rest = whole;
  const bool negative = take_sign(rest);
  const std::int64_t by_prefix = base_of_prefix(rest);
  bool prefixed = by_prefix != 0 && (base == 0 || base == by_prefix);
  if (prefixed) {
    base = by_prefix;
    rest.remove_prefix(2);
    if (rest.starts_with('_')) rest.remove_prefix(1);
  } else if (base == 0) {
    base = 10;
    // As in source text, a leading zero is for zero only.
    if (rest.starts_with('0') && rest.find_first_not_of("0_") != std::string_view::npos) return std::nullopt;
  }
  std::string digits(rest);
  const auto is_digit = [&](char c) { return digit_value(c) < base; };
  if (digits.empty() || !take_underscores(digits, is_digit)) return std::nullopt;
  for (const char c : digits)
    if (!is_digit(c)) return std::nullopt;
  std::optional<std::int64_t> value = 0;
  for (const char c : digits) {
    value = checked_mul(*value, base);
    // Counted downwards, because there is one negative number more.
    if (value) value = checked_sub(*value, digit_value(c));
    if (!value) return too_large(text);
  }
  if (negative) return value;
  value = checked_sub(0, *value);
  if (!value) return too_large(text);
  return value;
}

std::optional<double> read_real(std::string_view text) {
  std::string whole = plain(text);
  if (!take_underscores(whole, is_ascii_digit)) return std::nullopt;
  std::string_view rest = whole;
  const double sign = take_sign(rest) ? -1.0 : 1.0;
  const std::string word = lower_case(rest);
  if (word == "inf" || word == "infinity") return sign * std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (!is_decimal(rest)) return std::nullopt;
  return sign * read_decimal(rest);
}

}  // namespace stepwell
