#include "stepwell/value/json_explain.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "stepwell/base/ascii.h"
#include "stepwell/base/utf8.h"

namespace stepwell {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_bare(char c) { return is_ascii_digit(c) || is_ascii_letter(c) || c == '+' || c == '-' || c == '.' || c == '_'; }

// What the valid beginning of a document leaves open at its end.
struct Situation {
  std::vector<char> open;            // '[' and '{' without their partners
  std::size_t before = kNone;        // the last character that is not white space
  bool after_key = false;            // it closes a key
  std::size_t string_start = kNone;  // the quote of the string that the end is in
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // Walks on to `end`; `on_key` is told the offset of every key and stops the walk by returning true.
  Situation walk(std::size_t end, auto on_key) {
    for (std::size_t i = 0; i < end;) {
      const char c = text_[i];
      if (is_space(c)) {
        ++i;
        continue;
      }
      if (c == '"') {
        const bool is_key = expects_key();
        if (is_key && on_key(i)) break;
        i = skip_string(i, end);
        now_.after_key = is_key;
        continue;
      }
      if (c == '[' || c == '{') now_.open.push_back(c);
      if ((c == ']' || c == '}') && !now_.open.empty()) now_.open.pop_back();
      now_.before = i++;
      now_.after_key = false;
    }
    return now_;
  }

 private:
  bool expects_key() const {
    if (now_.open.empty() || now_.open.back() != '{' || now_.before == kNone) return false;
    return text_[now_.before] == '{' || text_[now_.before] == ',';
  }

  std::size_t skip_string(std::size_t quote, std::size_t end) {
    std::size_t i = quote + 1;
    while (i < end && text_[i] != '"') {
      if (text_[i] == '\\') ++i;
      ++i;
    }
    if (i >= end) {
      now_.string_start = quote;
      return end;
    }
    now_.before = i;
    return i + 1;
  }

  std::string_view text_;
  Situation now_;
};

Situation situation_at(std::string_view text, std::size_t end) {
  return Scanner(text).walk(end, [](std::size_t) { return false; });
}

std::string expectation(std::string_view text, const Situation& at) {
  const char before = at.before == kNone ? '\0' : text[at.before];
  const bool in_map = !at.open.empty() && at.open.back() == '{';
  if (before == '\0') return "expected a JSON value";
  if (before == '[') return "expected a value or ']'";
  if (before == '{') return "expected a key in double quotes or '}'";
  if (before == ':') return "expected a value after ':'";
  if (before == ',') return in_map ? "expected a key in double quotes after ','" : "expected a value after ','";
  if (at.after_key) return "expected ':' after the key";
  return in_map ? "expected ',' or '}'" : "expected ',' or ']'";
}

bool expects_value(std::string_view text, const Situation& at) {
  if (at.before == kNone) return true;
  const char before = text[at.before];
  const bool in_list = !at.open.empty() && at.open.back() == '[';
  return before == '[' || before == ':' || (before == ',' && in_list);
}

bool is_whole_value(std::string_view token) {
  return token == "true" || token == "false" || token == "null" || is_ascii_digit(token.back());
}

std::string not_a_value(std::string_view token) {
  std::string message = "'" + std::string(token.substr(0, 40)) + "' is not a JSON value";
  if (token == "True") message += "; write true";
  if (token == "False") message += "; write false";
  if (token == "None") message += "; write null";
  if (token == "NaN" || token.ends_with("Infinity")) message += "; numbers are finite";
  return message;
}

// The run of letters, digits and signs around or right before an offset: a misspelt literal or number.
std::string_view token_at(std::string_view text, std::size_t offset) {
  std::size_t first = offset;
  std::size_t last = offset;
  while (first > 0 && is_bare(text[first - 1])) --first;
  while (last < text.size() && is_bare(text[last])) ++last;
  return text.substr(first, last - first);
}

// The 16 bits of four hexadecimal digits.
std::optional<unsigned> read_unit(std::string_view digits) {
  unsigned unit = 0;
  const char* end = digits.data() + digits.size();
  if (digits.size() != 4 || std::from_chars(digits.data(), end, unit, 16).ptr != end) return std::nullopt;
  return unit;
}

bool is_first_half(unsigned unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_second_half(unsigned unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// What is wrong with the escape that starts the text, or nothing; and how long it is.
struct Escape {
  std::optional<JsonErrorCode> code;
  std::string message;
  std::size_t size = 2;
};

Escape read_escape(std::string_view text) {
  const char letter = text.substr(1, 1).empty() ? 'u' : text[1];
  if (std::string_view("\"\\/bfnrt").contains(letter)) return {};
  if (letter != 'u') {
    return {JsonErrorCode::syntax, "unknown escape; JSON knows \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX"};
  }
  const std::optional<unsigned> unit = read_unit(text.substr(std::min<std::size_t>(2, text.size()), 4));
  if (!unit) return {JsonErrorCode::syntax, "expected four hexadecimal digits after '\\u'"};
  if (!is_first_half(*unit) && !is_second_half(*unit)) return {.code = {}, .message = {}, .size = 6};
  const std::optional<unsigned> other = text.substr(6, 2) == "\\u" ? read_unit(text.substr(8, 4)) : std::nullopt;
  if (is_first_half(*unit) && other && is_second_half(*other)) return {.code = {}, .message = {}, .size = 12};
  return {JsonErrorCode::lone_surrogate,
          "half of a surrogate pair (\\ud800 to \\udbff, then \\udc00 to \\udfff) is missing"};
}

JsonError explain_in_string(std::string_view text, JsonFault fault, std::size_t start, std::size_t stopped_at) {
  if (fault == JsonFault::incomplete) {
    return json_error(text, JsonErrorCode::incomplete, start, "this string has no closing quote");
  }
  for (std::size_t i = start + 1; i < stopped_at;) {
    const Escape escape = text[i] == '\\' ? read_escape(text.substr(i)) : Escape{.code = {}, .message = {}, .size = 1};
    if (escape.code) return json_error(text, *escape.code, i, escape.message);
    i += escape.size;
  }
  if (static_cast<unsigned char>(text[stopped_at]) >= 0x80) {
    return json_error(text, JsonErrorCode::invalid_utf8, stopped_at, "invalid UTF-8");
  }
  return json_error(text, JsonErrorCode::syntax, stopped_at, "a control character in a string must be escaped");
}

}  // namespace

std::string_view code_name(JsonErrorCode code) {
  switch (code) {
    case JsonErrorCode::syntax: return "syntax";
    case JsonErrorCode::incomplete: return "incomplete";
    case JsonErrorCode::trailing_text: return "trailing_text";
    case JsonErrorCode::invalid_utf8: return "invalid_utf8";
    case JsonErrorCode::lone_surrogate: return "lone_surrogate";
    case JsonErrorCode::duplicate_key: return "duplicate_key";
    case JsonErrorCode::integer_out_of_range: return "integer_out_of_range";
    case JsonErrorCode::number_out_of_range: return "number_out_of_range";
    case JsonErrorCode::too_deep: return "too_deep";
    case JsonErrorCode::too_long: return "too_long";
  }
  CHECK(false);
}

std::string JsonError::to_string() const {
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

JsonError json_error(std::string_view text, JsonErrorCode code, std::size_t offset, std::string message) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
  return {.code = code,
          .offset = offset,
          .line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
          .column = utf8::length(before.substr(line_start)) + 1,
          .message = std::move(message)};
}

JsonError explain_json_fault(std::string_view text, JsonFault fault, std::size_t stopped_at) {
  const Situation here = situation_at(text, stopped_at);
  if (here.string_start != kNone) return explain_in_string(text, fault, here.string_start, stopped_at);
  if (fault == JsonFault::trailing_text) {
    return json_error(text, JsonErrorCode::trailing_text, stopped_at, "unexpected text after the JSON value");
  }
  const JsonErrorCode code = fault == JsonFault::incomplete ? JsonErrorCode::incomplete : JsonErrorCode::syntax;
  const std::string_view token = token_at(text, stopped_at);
  if (!token.empty()) {
    const auto start = static_cast<std::size_t>(token.data() - text.data());
    const Situation before_token = situation_at(text, start);
    const bool whole = fault == JsonFault::incomplete && is_whole_value(token);
    if (!whole && expects_value(text, before_token)) return json_error(text, code, start, not_a_value(token));
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    return json_error(text, code, 0, "the text starts with a byte order mark; remove it");
  }
  const std::string prefix = fault == JsonFault::incomplete ? "the text ends too early; " : "";
  return json_error(text, code, stopped_at, prefix + expectation(text, here));
}

std::size_t find_json_key(std::string_view text, std::size_t number) {
  std::size_t found = 0;
  Scanner(text).walk(text.size(), [&](std::size_t offset) {
    found = offset;
    return number-- == 0;
  });
  return found;
}

}  // namespace stepwell
