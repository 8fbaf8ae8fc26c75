// Paths as text: Path::parse and Path::str.

#include <array>
#include <charconv>

#include "stepwell/base/ascii.h"
#include "stepwell/base/utf8.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/path.h"

namespace stepwell {
namespace {

constexpr bool starts_name(char c) { return is_ascii_letter(c) || c == '_'; }
constexpr bool continues_name(char c) { return starts_name(c) || is_ascii_digit(c); }

// Every path that is written is asked, so the answer is in a table.
constexpr std::array<bool, 256> kContinuesName = [] {
  std::array<bool, 256> continues = {};
  for (unsigned c = 0; c < continues.size(); ++c) continues[c] = continues_name(static_cast<char>(c));
  return continues;
}();

bool is_name(std::string_view key) {
  if (key.empty() || is_ascii_digit(key[0])) return false;
  bool all = true;
  for (const char c : key) all &= kContinuesName[static_cast<unsigned char>(c)];
  return all;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::expected<Path, TextError> run() {
    bool good = text_.empty() || (peek() == '[' ? bracket() : name("expected a name or '['"));
    while (good && at_ < text_.size()) {
      if (peek() == '[') {
        good = bracket();
      } else if (take('.')) {
        good = name(is_ascii_digit(peek()) ? "an index is written [0]" : "expected a name after '.'");
      } else {
        good = fail("expected '.' or '['; a key with other characters is written [\"...\"]");
      }
    }
    if (!good) return std::unexpected(std::move(error_));
    return std::move(path_);
  }

 private:
  // The end reads as NUL, which no rule accepts outside a string; inside one the end is asked for.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char wanted) {
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool name(std::string_view otherwise) {
    const std::size_t start = at_;
    if (!starts_name(peek())) return fail(otherwise);
    while (continues_name(peek())) ++at_;
    path_.push_back(text_.substr(start, at_ - start));
    return true;
  }

  bool bracket() {
    ++at_;
    const char first = peek();
    const bool good = first == '"' || first == '\'' ? quoted() : index();
    if (!good) return false;
    return take(']') || fail("expected ']'");
  }

  bool index() {
    const std::size_t start = at_;
    take('-');
    if (!is_ascii_digit(peek())) return fail("expected an index or a quoted key");
    while (is_ascii_digit(peek())) ++at_;
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(text_.data() + start, text_.data() + at_, number);
    if (code != std::errc()) {
      at_ = start;
      return fail("the index does not fit 64 bits");
    }
    path_.push_back(number);
    return true;
  }

  bool quoted() {
    const char quote = text_[at_++];
    std::string key;
    while (!take(quote)) {
      if (at_ == text_.size()) return fail(std::string("the string is not closed; expected ") + quote);
      if (!take('\\')) {
        key += text_[at_++];
      } else if (!escape(key)) {
        return false;
      }
    }
    path_.push_back(key);
    return true;
  }

  bool escape(std::string& key) {
    constexpr std::string_view kLetters = "\"'\\/nrtbf";
    constexpr std::string_view kMeanings = "\"'\\/\n\r\t\b\f";
    if (take('u')) return unicode_escape(key);
    const std::size_t letter = at_ < text_.size() ? kLetters.find(text_[at_]) : kLetters.npos;
    if (letter == kLetters.npos) return fail("unknown escape; a backslash is written \\\\");
    key += kMeanings[letter];
    ++at_;
    return true;
  }

  bool unicode_escape(std::string& key) {
    const std::string_view digits = text_.substr(at_, 4);
    unsigned code = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (status != std::errc() || end != digits.data() + 4) return fail("expected four hexadecimal digits after \\u");
    if (code >= 0xD800 && code < 0xE000) return fail("a surrogate is no character; write the character itself");
    utf8::append(key, code);
    at_ += 4;
    return true;
  }

  bool fail(std::string_view what) {
    error_.at = at_;
    error_.message = "bad path '" + std::string(text_) + "' at " + std::to_string(at_) + ": " + std::string(what);
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Path path_;
  TextError error_;
};

}  // namespace

std::expected<Path, TextError> Path::parse(std::string_view text) { return Parser(text).run(); }

std::string_view Path::sole_name() const {
  return size() == 1 && segments_[0].is_key() && is_name(segments_[0].key()) ? segments_[0].key() : std::string_view();
}

std::string Path::str() const {
  std::string out;
  for (const Segment& segment : segments_) {
    if (segment.is_key() && is_name(segment.key())) {
      if (!out.empty()) out += '.';
      out += segment.key();
      continue;
    }
    out += '[';
    if (segment.is_key()) {
      append_json_text(out, segment.key());
    } else {
      out += std::to_string(segment.index());
    }
    out += ']';
  }
  return out;
}

}  // namespace stepwell
