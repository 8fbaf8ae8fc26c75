#include "stepwell/expr/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <utf8proc.h>

#include "stepwell/base/check.h"
#include "stepwell/base/limits.h"
#include "stepwell/base/utf8.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/literal.h"
#include "stepwell/expr/unicode.h"

namespace stepwell {

namespace {

struct Operator {
  std::string_view text;
  TokenType type;
};

// Longer ones first, so that the first match is the longest.
constexpr std::array kOperators = {
    Operator{"**", TokenType::power},        Operator{"//", TokenType::floor_divide},
    Operator{"==", TokenType::equal},        Operator{"!=", TokenType::not_equal},
    Operator{"<=", TokenType::less_equal},   Operator{">=", TokenType::greater_equal},
    Operator{"+", TokenType::add},           Operator{"-", TokenType::subtract},
    Operator{"*", TokenType::multiply},      Operator{"/", TokenType::divide},
    Operator{"%", TokenType::modulo},        Operator{"~", TokenType::tilde},
    Operator{"<", TokenType::less},          Operator{">", TokenType::greater},
    Operator{"=", TokenType::assign},        Operator{".", TokenType::dot},
    Operator{",", TokenType::comma},         Operator{":", TokenType::colon},
    Operator{"|", TokenType::pipe},          Operator{"(", TokenType::open_paren},
    Operator{")", TokenType::close_paren},   Operator{"[", TokenType::open_bracket},
    Operator{"]", TokenType::close_bracket}, Operator{"{", TokenType::open_brace},
    Operator{"}", TokenType::close_brace},
};

// How many bytes of white space, Unicode's included, the text starts with.
std::size_t leading_space(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t next = 0; next < text.size(); end = next) {
    if (!is_space(next_code_point(text, next))) break;
  }
  return end;
}

// Where the white space begins that the text ends with.
std::size_t spaceless_end(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t next = 0; next < text.size();) {
    if (!is_space(next_code_point(text, next))) end = next;
  }
  return end;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

bool starts_name(char32_t c) {
  if (c < 0x80) return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL: return true;
    default: return false;
  }
}

bool continues_name(char32_t c) {
  if (c < 0x80) return starts_name(c) || (c >= '0' && c <= '9');
  if (starts_name(c)) return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC: return true;
    default: return false;
  }
}

// How many bytes of a name the text starts with.
std::size_t name_size(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size()) {
    const utf8::Decoded next = utf8::decode(text.substr(size));
    if (size == 0 ? !starts_name(next.code_point) : !continues_name(next.code_point)) break;
    size += next.size;
  }
  return size;
}

std::string with_plain_newlines(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      plain += text[i];
      continue;
    }
    plain += '\n';
    if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return plain;
}

class Lexer {
 public:
  Lexer(std::string_view source, std::size_t max_bytes) : source_(source), max_bytes_(max_bytes) {}

  std::expected<std::vector<Lexeme>, ExprError> expression() {
    if (!check_source()) return std::unexpected(std::move(error_));
    while (skip_space(), at_ < source_.size()) {
      if (!expression_token()) return std::unexpected(std::move(error_));
    }
    return finish();
  }

  std::expected<std::vector<Lexeme>, ExprError> whole_template() {
    if (!check_source()) return std::unexpected(std::move(error_));
    while (at_ < source_.size()) {
      if (!template_part()) return std::unexpected(std::move(error_));
    }
    return finish();
  }

 private:
  bool fail(std::size_t at, std::string message) {
    const auto size = static_cast<std::uint32_t>(source_.size());
    error_ = ExprError{.code = FaultCode::syntax,
                       .message = std::move(message),
                       .detail = {},
                       .source = std::string(source_),
                       .expression = {0, size},
                       .at = static_cast<std::uint32_t>(at),
                       .path = std::nullopt};
    return false;
  }

  bool check_source() {
    if (source_.size() > max_bytes_) {
      const std::size_t size = source_.size();
      source_ = source_.substr(0, 0);
      return fail(0, fmt::format("the text has {} bytes; at most {} are allowed", size, max_bytes_));
    }
    const std::size_t valid = utf8::valid_prefix(source_);
    if (valid == source_.size()) return true;
    source_ = source_.substr(0, valid);
    return fail(valid, fmt::format("the text is not UTF-8 at byte {}", valid));
  }

  std::vector<Lexeme> finish() {
    push(TokenType::end, at_, at_);
    return std::move(tokens_);
  }

  void push(TokenType type, std::size_t begin, std::size_t end, Value value = {}) {
    tokens_.push_back({type, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, std::move(value)});
  }

  std::string_view rest() const { return source_.substr(at_); }
  void skip_space() { at_ += leading_space(rest()); }

  // The text up to the next opening delimiter, then what it opens.
  bool template_part() {
    std::size_t open = at_;
    while (true) {
      open = source_.find('{', open);
      if (open == std::string_view::npos || open + 1 >= source_.size()) {
        data(at_, source_.size(), false);
        at_ = source_.size();
        return true;
      }
      const char second = source_[open + 1];
      if (second == '{' || second == '%' || second == '#') break;
      ++open;
    }
    const char sign = open + 2 < source_.size() ? source_[open + 2] : ' ';
    data(at_, open, sign == '-');
    at_ = open + 2 + (sign == '-' || sign == '+' ? 1 : 0);
    switch (source_[open + 1]) {
      case '#': return comment(open);
      case '%': return tag(open);
      default: return inside(open, TokenType::print_begin, TokenType::print_end, "}}");
    }
  }

  void data(std::size_t begin, std::size_t end, bool trim_end) {
    const std::string_view text = source_.substr(begin, end - begin);
    if (trim_end) end = begin + spaceless_end(text);
    if (trim_next_) begin = std::min(end, begin + leading_space(text));
    trim_next_ = false;
    if (begin < end) push(TokenType::data, begin, end, with_plain_newlines(source_.substr(begin, end - begin)));
  }

  bool comment(std::size_t open) {
    const std::size_t close = source_.find("#}", at_);
    if (close == std::string_view::npos) return fail(open, "this comment is not closed; add '#}'");
    trim_next_ = close > at_ && source_[close - 1] == '-';
    at_ = close + 2;
    return true;
  }

  bool tag(std::size_t open) {
    std::size_t word = at_;
    while (word < source_.size() && is_blank(source_[word])) ++word;
    if (source_.substr(word, 3) == "raw" && closes_after(word + 3)) return raw(open);
    return inside(open, TokenType::tag_begin, TokenType::tag_end, "%}");
  }

  // Moves past white space, an optional `-` or `+`, and `%}`; false and nothing moved if that is not what follows.
  bool closes_after(std::size_t from) {
    std::size_t next = from;
    while (next < source_.size() && is_blank(source_[next])) ++next;
    const bool trim = next < source_.size() && source_[next] == '-';
    if (trim || (next < source_.size() && source_[next] == '+')) ++next;
    if (source_.substr(next, 2) != "%}") return false;
    at_ = next + 2;
    trim_next_ = trim;
    return true;
  }

  // Called behind the opening tag: everything up to `endraw` is data.
  bool raw(std::size_t open) {
    const std::size_t begin = at_;
    const bool trim_begin = trim_next_;
    for (std::size_t close = source_.find("{%", begin); close != std::string_view::npos;
         close = source_.find("{%", close + 2)) {
      std::size_t word = close + 2;
      const bool trim_end = word < source_.size() && source_[word] == '-';
      if (trim_end || (word < source_.size() && source_[word] == '+')) ++word;
      while (word < source_.size() && is_blank(source_[word])) ++word;
      if (source_.substr(word, 6) != "endraw" || !closes_after(word + 6)) continue;
      const bool trim_after = std::exchange(trim_next_, trim_begin);
      data(begin, close, trim_end);
      trim_next_ = trim_after;
      return true;
    }
    return fail(open, "this raw block is not closed; add '{% endraw %}'");
  }

  // The tokens of one {{ }} or {% %}. A closer inside brackets belongs to the expression: {{ {'a': {}} }}.
  bool inside(std::size_t open, TokenType begin, TokenType end, std::string_view closer) {
    push(begin, open, at_);
    while (skip_space(), at_ < source_.size()) {
      if (open_.empty() && closes(closer, end)) return true;
      if (!expression_token()) return false;
    }
    if (!open_.empty()) return fail(open_.back().at, fmt::format("'{}' is not closed", open_.back().open));
    return fail(open, fmt::format("'{}' is not closed; add '{}'", source_.substr(open, 2), closer));
  }

  bool closes(std::string_view closer, TokenType end) {
    const bool trim = source_[at_] == '-';
    const bool signed_closer = trim || (source_[at_] == '+' && end == TokenType::tag_end);
    const std::size_t begin = at_ + (signed_closer ? 1 : 0);
    if (source_.substr(begin, 2) != closer) return false;
    push(end, at_, begin + 2);
    at_ = begin + 2;
    trim_next_ = trim;
    return true;
  }

  bool expression_token() {
    const char c = source_[at_];
    if (c == '"' || c == '\'') return text();
    if (c >= '0' && c <= '9') return number();
    if (starts_name(utf8::decode(rest()).code_point)) return name();
    for (const Operator& op : kOperators) {
      if (rest().starts_with(op.text)) return balanced(op);
    }
    const std::size_t size = utf8::decode(rest()).size;
    return fail(at_, fmt::format("'{}' has no meaning here", source_.substr(at_, size)));
  }

  bool balanced(const Operator& op) {
    const std::size_t begin = at_;
    const char c = op.text[0];
    if (c == '(' || c == '[' || c == '{') open_.push_back({c, begin});
    if (c == ')' || c == ']' || c == '}') {
      const char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open_.empty()) return fail(begin, fmt::format("'{}' closes nothing", c));
      if (open_.back().open != opener) {
        return fail(begin, fmt::format("'{}' does not close the '{}' before it", c, open_.back().open));
      }
      open_.pop_back();
    }
    at_ += op.text.size();
    push(op.type, begin, at_);
    return true;
  }

  bool name() {
    const std::size_t begin = at_;
    at_ += name_size(rest());
    push(TokenType::name, begin, at_, source_.substr(begin, at_ - begin));
    return true;
  }

  bool text() {
    const std::size_t begin = at_;
    const char quote = source_[at_++];
    while (at_ < source_.size() && source_[at_] != quote) at_ += source_[at_] == '\\' ? 2 : 1;
    if (at_ >= source_.size()) return fail(begin, "this text is not closed");
    ++at_;
    const auto value = unescape(with_plain_newlines(source_.substr(begin + 1, at_ - begin - 2)));
    if (!value) return fail(begin, value.error());
    push(TokenType::text, begin, at_, *value);
    return true;
  }

  bool number() {
    const std::size_t begin = at_;
    const bool after_dot = begin > 0 && source_[begin - 1] == '.';
    const auto literal = read_number(rest(), after_dot);
    if (!literal) return fail(begin, literal.error());
    at_ += literal->size;
    const TokenType type = literal->value.is_null()  ? TokenType::lowest
                           : literal->value.is_int() ? TokenType::integer
                                                     : TokenType::real;
    push(type, begin, at_, literal->value);
    return true;
  }

  struct Bracket {
    char open;
    std::size_t at;
  };

  std::string_view source_;
  std::size_t max_bytes_;
  std::size_t at_ = 0;
  bool trim_next_ = false;  // the last tag ended with `-`: white space at the start of the next data goes
  std::vector<Bracket> open_;
  std::vector<Lexeme> tokens_;
  ExprError error_;
};

}  // namespace

std::expected<std::vector<Lexeme>, ExprError> lex_expression(std::string_view source, std::size_t max_bytes) {
  return Lexer(source, max_bytes).expression();
}

std::expected<std::vector<Lexeme>, ExprError> lex_template(std::string_view source, std::size_t max_bytes) {
  return Lexer(source, max_bytes).whole_template();
}

bool is_name(std::string_view text) {
  const std::size_t size = name_size(text);
  return size != 0 && size == text.size();
}

std::string_view token_word(TokenType type) {
  switch (type) {
    case TokenType::data: return "text";
    case TokenType::print_begin: return "'{{'";
    case TokenType::print_end: return "'}}'";
    case TokenType::tag_begin: return "'{%'";
    case TokenType::tag_end: return "'%}'";
    case TokenType::name: return "a name";
    case TokenType::text: return "a text";
    case TokenType::lowest:
    case TokenType::integer: return "a number";
    case TokenType::real: return "a number";
    case TokenType::add: return "'+'";
    case TokenType::subtract: return "'-'";
    case TokenType::multiply: return "'*'";
    case TokenType::power: return "'**'";
    case TokenType::divide: return "'/'";
    case TokenType::floor_divide: return "'//'";
    case TokenType::modulo: return "'%'";
    case TokenType::tilde: return "'~'";
    case TokenType::equal: return "'=='";
    case TokenType::not_equal: return "'!='";
    case TokenType::less: return "'<'";
    case TokenType::less_equal: return "'<='";
    case TokenType::greater: return "'>'";
    case TokenType::greater_equal: return "'>='";
    case TokenType::assign: return "'='";
    case TokenType::dot: return "'.'";
    case TokenType::comma: return "','";
    case TokenType::colon: return "':'";
    case TokenType::pipe: return "'|'";
    case TokenType::open_paren: return "'('";
    case TokenType::close_paren: return "')'";
    case TokenType::open_bracket: return "'['";
    case TokenType::close_bracket: return "']'";
    case TokenType::open_brace: return "'{'";
    case TokenType::close_brace: return "'}'";
    case TokenType::end: return "the end";
  }
  CHECK(false);
}

}  // namespace stepwell
