#include "stepwell/expr/literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "stepwell/base/ascii.h"
#include "stepwell/base/decimal.h"
#include "stepwell/base/utf8.h"

namespace stepwell {

namespace {

// Digits of `base` with single underscores between them, from `at` on; returns the end.
std::size_t digits_end(std::string_view text, std::size_t at, int base) {
  std::size_t end = at;
  while (end < text.size()) {
    const bool joined = text[end] == '_' && end > at && end + 1 < text.size();
    const std::size_t digit = joined ? end + 1 : end;
    if (digit_value(text[digit]) >= base) break;
    end = digit + 1;
  }
  return end;
}

std::string without_underscores(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  return plain;
}

// The end of a fraction or exponent behind the digits that end at `at`, or `at` if there is neither.
std::size_t real_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end + 1 < text.size() && text[end] == '.' && is_ascii_digit(text[end + 1])) end = digits_end(text, end + 1, 10);
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool has_sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-');
    const std::size_t exponent = end + (has_sign ? 2 : 1);
    if (exponent < text.size() && is_ascii_digit(text[exponent])) end = digits_end(text, exponent, 10);
  }
  return end;
}

std::expected<NumberLiteral, std::string> read_integer(std::string_view digits, int base, std::size_t size) {
  const std::string plain = without_underscores(digits);
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(plain.data(), plain.data() + plain.size(), value, base);
  constexpr std::uint64_t kLowest = std::uint64_t{1} << 63;
  if (code != std::errc() || end != plain.data() + plain.size() || value > kLowest) {
    return std::unexpected("this integer does not fit in 64 bits");
  }
  return NumberLiteral{value == kLowest ? Value() : Value(static_cast<std::int64_t>(value)), size};
}

// The code point of `count` hexadecimal digits.
std::optional<char32_t> read_hex(std::string_view digits, std::size_t count) {
  if (digits.size() < count) return std::nullopt;
  char32_t code_point = 0;
  for (const char c : digits.substr(0, count)) {
    if (digit_value(c) > 15) return std::nullopt;
    code_point = code_point * 16 + static_cast<char32_t>(digit_value(c));
  }
  return code_point;
}

class Unescaper {
 public:
  explicit Unescaper(std::string_view quoted) : rest_(quoted) {}

  std::expected<std::string, std::string> run() {
    while (!rest_.empty()) {
      const std::size_t backslash = rest_.find('\\');
      out_ += rest_.substr(0, backslash);
      if (backslash == std::string_view::npos) break;
      rest_.remove_prefix(backslash + 1);
      if (!escape()) return std::unexpected(problem_);
    }
    return std::move(out_);
  }

 private:
  // Behind the backslash.
  bool escape() {
    const char c = rest_.front();
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
      out_ += kMeanings[known];
      rest_.remove_prefix(1);
      return true;
    }
    switch (c) {
      case '\n': rest_.remove_prefix(1); return true;
      case 'x': return hexadecimal(2);
      case 'u': return hexadecimal(4);
      case 'U': return hexadecimal(8);
      case 'N': problem_ = "the escape \\N{...} is not supported; write the character itself"; return false;
      default: break;
    }
    if (c >= '0' && c <= '7') return octal();
    out_ += '\\';
    return true;
  }

  bool hexadecimal(std::size_t count) {
    const std::optional<char32_t> code_point = read_hex(rest_.substr(1), count);
    if (!code_point) {
      problem_ = std::string("the escape \\") + rest_[0] + " needs " + std::to_string(count) + " hexadecimal digits";
      return false;
    }
    rest_.remove_prefix(count + 1);
    return append(*code_point);
  }

  bool octal() {
    char32_t code_point = 0;
    for (int i = 0; i < 3 && !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '7'; ++i) {
      code_point = code_point * 8 + static_cast<char32_t>(rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return append(code_point);
  }

  bool append(char32_t code_point) {
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
      problem_ = "this escape is not a Unicode character";
      return false;
    }
    utf8::append(out_, code_point);
    return true;
  }

  std::string_view rest_;
  std::string out_;
  std::string problem_;
};

}  // namespace

std::expected<std::string, std::string> unescape(std::string_view quoted) { return Unescaper(quoted).run(); }

std::expected<NumberLiteral, std::string> read_number(std::string_view text, bool after_dot) {
  if (text.size() > 2 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    const std::size_t begin = text[2] == '_' ? 3 : 2;
    const std::size_t end = base == 0 ? begin : digits_end(text, begin, base);
    if (end > begin) return read_integer(text.substr(begin, end - begin), base, end);
  }
  const std::size_t integer_end = digits_end(text, 0, 10);
  const std::size_t end = after_dot ? integer_end : real_end(text, integer_end);
  if (end == integer_end) {
    // Python has no 007: zeros may stand before other digits only in a real.
    if (text[0] == '0' && text.substr(0, end).find_first_not_of("0_") != std::string_view::npos) {
      return std::unexpected("an integer must not start with 0");
    }
    return read_integer(text.substr(0, end), 10, end);
  }
  const std::string plain = without_underscores(text.substr(0, end));
  const double value = read_decimal(plain);
  if (std::isinf(value)) return std::unexpected("this number is too large");
  return NumberLiteral{value, end};
}

}  // namespace stepwell
