#include "stepwell/value/schema/ecma_regex.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "stepwell/base/ascii.h"

namespace stepwell::schema {

namespace {

// White space as ECMA 262 has it, and everything else, as the inside of a character class.
constexpr std::string_view kSpace =
    R"(\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view kNotSpace =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e})"
    R"(\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
constexpr std::string_view kNotLineEnd = R"([^\n\r\x{2028}\x{2029}])";

class Translator {
 public:
  explicit Translator(std::string_view source) : source_(source) {}

  std::expected<std::string, std::string> run() {
    while (at_ < source_.size() && error_.empty()) element();
    if (!error_.empty()) return std::unexpected(error_);
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool ended() const { return at_ >= source_.size(); }
  bool follows(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  void fail(std::string_view what) {
    if (error_.empty()) error_ = fmt::format("{} at {}", what, at_);
  }
  void emit(char32_t code_point) { out_ += fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(code_point)); }

  void element() {
    switch (peek()) {
      case '\\': escape(); break;
      case '[': character_class(); break;
      case '(': group(); break;
      case '.': copy_as(kNotLineEnd); break;
      case ']': copy_as("\\]"); break;
      default: out_ += source_[at_++];
    }
  }

  void copy_as(std::string_view text) {
    out_ += text;
    ++at_;
  }

  void group() {
    if (!follows("(?")) return copy_as("(");
    if (follows("(?:")) {
      out_ += "(?:";
      at_ += 3;
    } else if (follows("(?=") || follows("(?!")) {
      fail("look-ahead, which is not supported,");
    } else if (follows("(?<=") || follows("(?<!")) {
      fail("look-behind, which is not supported,");
    } else if (follows("(?<")) {
      named_group();
    } else {
      fail("a kind of group that ECMA 262 does not have");
    }
  }

  // Nothing ever asks for what a group matched, so its name is dropped.
  void named_group() {
    std::size_t end = at_ + 3;
    auto in_name = [&](char c) {
      return is_ascii_letter(c) || c == '_' || c == '$' || (is_ascii_digit(c) && end > at_ + 3);
    };
    while (end < source_.size() && in_name(source_[end])) ++end;
    if (end == at_ + 3 || end == source_.size() || source_[end] != '>') return fail("a bad group name");
    out_ += '(';
    at_ = end + 1;
  }

  // An escape outside a character class.
  void escape() {
    const char c = peek(1);
    if (c == 'b' || c == 'B') {
      out_ += '\\';
      out_ += c;
      at_ += 2;
    } else if (c >= '1' && c <= '9') {
      fail("a back-reference, which is not supported,");
    } else if (c == 'k') {
      fail("a named back-reference, which is not supported,");
    } else if (c == 's' || c == 'S') {
      out_ += fmt::format("[{}]", c == 's' ? kSpace : kNotSpace);
      at_ += 2;
    } else if (is_class_escape(at_)) {
      class_escape();
    } else if (std::optional<char32_t> code_point = single_escape()) {
      emit(*code_point);
    }
  }

  // Whether the text at this offset is an escape that stands for a set of characters.
  bool is_class_escape(std::size_t at) const {
    return at + 1 < source_.size() && source_[at] == '\\' &&
           std::string_view("dDwWsSpP").find(source_[at + 1]) != std::string_view::npos;
  }

  void class_escape() {
    const char c = peek(1);
    if (c == 's' || c == 'S') {
      out_ += c == 's' ? kSpace : kNotSpace;
      at_ += 2;
      return;
    }
    std::size_t length = 2;
    if (c == 'p' || c == 'P') {
      const std::size_t end = peek(2) == '{' ? source_.find('}', at_) : std::string_view::npos;
      if (end == std::string_view::npos) return fail(R"(\p without a property in braces)");
      length = end + 1 - at_;
    }
    out_ += source_.substr(at_, length);
    at_ += length;
  }

  // An escape that stands for one character. It is consumed.
  std::optional<char32_t> single_escape() {
    const char c = peek(1);
    if (at_ + 1 >= source_.size()) return fail("a backslash with nothing behind it"), std::nullopt;
    switch (c) {
      case 't': return take(2, U'\t');
      case 'n': return take(2, U'\n');
      case 'v': return take(2, U'\v');
      case 'f': return take(2, U'\f');
      case 'r': return take(2, U'\r');
      case '0': return is_ascii_digit(peek(2)) ? refuse("an octal escape") : take(2, U'\0');
      case 'c':
        return is_ascii_letter(peek(2)) ? take(3, static_cast<char32_t>(peek(2) & 31))
                                        : refuse(R"(\c without a letter)");
      case 'x': {
        const std::optional<char32_t> code = hex(at_ + 2, 2);
        return code ? take(4, *code) : refuse(R"(\x without two hexadecimal digits)");
      }
      case 'u': return unicode_escape();
      default: break;
    }
    if (is_ascii_letter(c) || is_ascii_digit(c))
      return refuse(fmt::format("the escape \\{}, which ECMA 262 does not have,", c));
    if (static_cast<unsigned char>(c) >= 0x80) return refuse("a backslash before a character that needs none");
    return take(2, static_cast<char32_t>(c));
  }

  std::optional<char32_t> unicode_escape() {
    if (peek(2) == '{') {
      const std::size_t end = source_.find('}', at_);
      const std::size_t digits = end == std::string_view::npos ? 0 : end - at_ - 3;
      const std::optional<char32_t> code = digits >= 1 && digits <= 6 ? hex(at_ + 3, digits) : std::nullopt;
      if (!code || *code > 0x10ffff) return refuse(R"(\u{} without a code point)");
      return scalar(digits + 4, *code);
    }
    const std::optional<char32_t> high = hex(at_ + 2, 4);
    if (!high) return refuse(R"(\u without four hexadecimal digits)");
    if (*high >= 0xd800 && *high <= 0xdbff && peek(6) == '\\' && peek(7) == 'u') {
      const std::optional<char32_t> low = hex(at_ + 8, 4);
      if (low && *low >= 0xdc00 && *low <= 0xdfff)
        return take(12, 0x10000 + ((*high - 0xd800) << 10) + (*low - 0xdc00));
    }
    return scalar(6, *high);
  }

  std::optional<char32_t> scalar(std::size_t length, char32_t code) {
    if (code >= 0xd800 && code <= 0xdfff) return refuse("half of a surrogate pair");
    return take(length, code);
  }

  std::optional<char32_t> hex(std::size_t at, std::size_t digits) const {
    char32_t code = 0;
    for (std::size_t i = at; i < at + digits; ++i) {
      if (i >= source_.size() || digit_value(source_[i]) >= 16) return std::nullopt;
      code = code * 16 + static_cast<char32_t>(digit_value(source_[i]));
    }
    return code;
  }

  std::optional<char32_t> take(std::size_t length, char32_t code) {
    at_ += length;
    return code;
  }
  std::optional<char32_t> refuse(std::string_view what) {
    fail(what);
    return std::nullopt;
  }

  void character_class() {
    const std::size_t start = at_;
    const bool negated = peek(1) == '^';
    at_ += negated ? 2 : 1;
    // ECMA 262 has classes without members: nothing, and with ^ anything. RE2 would take the ] for a member.
    if (peek() == ']') return copy_as(negated ? R"([\x{0}-\x{10ffff}])" : R"([^\x{0}-\x{10ffff}])");
    out_ += negated ? "[^" : "[";
    bool after_single = false;  // a '-' may follow and make a range
    while (!ended() && peek() != ']' && error_.empty()) {
      const bool range = after_single && peek() == '-' && peek(1) != ']' && !is_class_escape(at_ + 1);
      if (range) copy_as("-");
      after_single = class_atom() && !range;
    }
    if (ended()) {
      at_ = start;
      return fail("a character class that is not closed");
    }
    copy_as("]");
  }

  // One member of a character class; says whether it is a single character.
  bool class_atom() {
    if (is_class_escape(at_)) {
      class_escape();
      return false;
    }
    if (follows("\\b")) {
      out_ += R"(\x{8})";
      at_ += 2;
    } else if (follows("\\-")) {
      copy_as("\\-");
      ++at_;
    } else if (peek() == '\\') {
      if (std::optional<char32_t> code_point = single_escape()) emit(*code_point);
    } else if (const unsigned char c = static_cast<unsigned char>(peek()); c < 0x80) {
      emit(c);
      ++at_;
    } else {
      do out_ += source_[at_++];
      while ((peek() & 0xc0) == 0x80);
    }
    return true;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::string out_;
  std::string error_;
};

}  // namespace

std::expected<std::string, std::string> to_re2_syntax(std::string_view source) { return Translator(source).run(); }

}  // namespace stepwell::schema
