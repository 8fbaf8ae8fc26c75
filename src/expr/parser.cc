#include "stepwell/expr/parser.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/expr/expression_parser.h"
#include "stepwell/expr/lexer.h"
#include "stepwell/expr/text_parts.h"

namespace stepwell {

namespace {

constexpr std::string_view kLeftOut[] = {"autoescape", "block", "break",  "call",    "continue", "do",    "extends",
                                         "filter",     "from",  "import", "include", "macro",    "trans", "with"};

// Statements and text around the expressions.
class TemplateParser {
 public:
  TemplateParser(std::string_view source, std::span<const Lexeme> tokens, const ParseLimits& limits)
      : expr_(source, tokens, limits.nesting) {}

  std::expected<Node, ExprError> run() {
    Node root = parts({});
    if (expr_.failed()) return std::unexpected(expr_.error());
    return root;
  }

 private:
  using Words = std::initializer_list<std::string_view>;

  bool at_tag(Words words) const {
    if (expr_.current().type != TokenType::tag_begin || expr_.ahead().type != TokenType::name) return false;
    const std::string_view word = expr_.ahead().value.as_text();
    return std::ranges::find(words, word) != words.end();
  }

  // Everything up to a tag that starts with one of `ends`, or to the end of the source.
  Node parts(Words ends) {
    const ExpressionParser::Nested nested(expr_);
    const Span from = expr_.current().span;
    std::vector<Node> found;
    while (!expr_.failed() && expr_.current().type != TokenType::end && !at_tag(ends)) found.push_back(part());
    if (ends.size() != 0 && expr_.current().type == TokenType::end) {
      return expr_.fail(fmt::format("the block is not closed; add '{{% {} %}}'", *(ends.end() - 1)));
    }
    return expr_.make(NodeKind::sequence, {from.begin, from.begin}, from.begin, std::move(found));
  }

  Node part() {
    if (expr_.current().type == TokenType::data) return text();
    const Lexeme token = expr_.next();
    if (token.type == TokenType::print_begin) {
      std::vector<Node> printed;
      printed.push_back(expr_.expressions());
      expr_.expect(TokenType::print_end);
      const Span span = printed[0].span;
      return expr_.make(NodeKind::print, span, token.span.begin, std::move(printed));
    }
    return statement();
  }

  // Comments and raw blocks cut the text of a template into pieces, but not what it means.
  Node text() {
    Span span = expr_.current().span;
    std::string whole;
    while (expr_.current().type == TokenType::data) {
      span.end = expr_.current().span.end;
      whole += expr_.next().value.as_text();
    }
    return expr_.make(NodeKind::text, span, span.begin, {}, whole);
  }

  Node statement() {
    const Lexeme word = expr_.current();
    if (word.type != TokenType::name) return expr_.fail("expected the name of a tag behind '{%'");
    expr_.next();
    const std::string_view name = word.value.as_text();
    if (name == "if") return branch(word);
    if (name == "for") return loop(word);
    if (name == "set") return set(word);
    if (std::ranges::count(kLeftOut, name) != 0) {
      return expr_.fail_at(word.span, fmt::format("the tag '{}' of Jinja2 is not part of the language", name),
                           FaultCode::unsupported);
    }
    return expr_.fail_at(word.span, fmt::format("unknown tag '{}'; there are if, for, set and raw", name));
  }

  // Behind the words of a tag.
  void close_tag() { expr_.expect(TokenType::tag_end); }
  // At a tag: moves behind its word, which it returns.
  std::string open_tag() {
    expr_.expect(TokenType::tag_begin);
    if (expr_.current().type != TokenType::name) return {};
    return std::string(expr_.next().value.as_text());
  }

  Node branch(const Lexeme& word) {
    std::vector<Node> children;
    std::string tag = "if";
    while (!expr_.failed() && tag != "endif") {
      if (tag == "else") {
        close_tag();
        children.push_back(parts({"endif"}));
      } else {
        children.push_back(expr_.expressions(false));
        close_tag();
        children.push_back(parts({"elif", "else", "endif"}));
      }
      tag = open_tag();
    }
    close_tag();
    return expr_.make(NodeKind::branch, word.span, word.span.begin, std::move(children));
  }

  Node loop(const Lexeme& word) {
    std::vector<Node> children;
    children.push_back(expr_.target());
    if (!expr_.accept_word("in")) return expr_.fail("expected 'in' behind the names of a for");
    children.push_back(expr_.expressions(false));
    if (expr_.accept_word("if")) {
      children.push_back(expr_.expression());
    } else {
      children.push_back(expr_.make(NodeKind::constant, word.span, word.span.begin, {}, true));
    }
    if (expr_.at_word("recursive")) {
      return expr_.fail("recursive loops are not part of the language", FaultCode::unsupported);
    }
    close_tag();
    children.push_back(parts({"else", "endfor"}));
    if (open_tag() == "else") {
      close_tag();
      children.push_back(parts({"endfor"}));
      open_tag();
    }
    close_tag();
    return expr_.make(NodeKind::loop, word.span, word.span.begin, std::move(children));
  }

  Node set(const Lexeme& word) {
    std::vector<Node> children;
    children.push_back(set_target());
    if (expr_.accept(TokenType::assign)) {
      children.push_back(expr_.expressions());
      close_tag();
      return expr_.make(NodeKind::set, word.span, word.span.begin, std::move(children));
    }
    Node filtered = expr_.make(NodeKind::name, word.span, word.span.begin, {}, kCaptured);
    const bool has_filters = expr_.current().type == TokenType::pipe;
    if (has_filters) filtered = expr_.filters(std::move(filtered));
    close_tag();
    children.push_back(parts({"endset"}));
    open_tag();
    close_tag();
    if (has_filters) children.push_back(std::move(filtered));
    return expr_.make(NodeKind::set_block, word.span, word.span.begin, std::move(children));
  }

  Node set_target() {
    if (expr_.ahead().type != TokenType::dot || expr_.current().type != TokenType::name) return expr_.target();
    const Lexeme space = expr_.next();
    expr_.next();
    if (expr_.current().type != TokenType::name) return expr_.fail("expected a name behind '.'");
    const Lexeme key = expr_.next();
    Node node = expr_.make(NodeKind::attribute, {space.span.begin, key.span.end}, space.span.begin, {}, space.value);
    node.keywords.emplace_back(key.value.as_text());
    return node;
  }

  ExpressionParser expr_;
};

bool is_blank(const Lexeme& token) { return token.type == TokenType::data && stripped(token.value.as_text()).empty(); }

// The tokens between {{ and }} if the template is nothing else, white space and comments aside; empty otherwise.
std::span<const Lexeme> single_print(std::span<const Lexeme> tokens) {
  tokens = tokens.first(tokens.size() - 1);
  while (!tokens.empty() && is_blank(tokens.front())) tokens = tokens.subspan(1);
  while (!tokens.empty() && is_blank(tokens.back())) tokens = tokens.first(tokens.size() - 1);
  if (tokens.size() < 2 || tokens.front().type != TokenType::print_begin) return {};
  if (tokens.back().type != TokenType::print_end) return {};
  const auto ends = std::ranges::count(tokens, TokenType::print_end, &Lexeme::type);
  return ends == 1 ? tokens.subspan(1) : std::span<const Lexeme>();
}

enum class Commas { allowed, refused };

// Several expressions with commas make a list where text is made anyway. A guard with a comma is a slip: as a list it
// would always be true.
std::expected<Tree, ExprError> expression_tree(std::string_view source, std::span<const Lexeme> tokens, TokenType end,
                                               Commas commas, const ParseLimits& limits) {
  ExpressionParser parser(source, tokens, limits.nesting);
  Node root = commas == Commas::allowed ? parser.expressions() : parser.expression();
  parser.expect(end);
  if (parser.failed()) return std::unexpected(parser.error());
  return Tree{.source = std::string(source), .root = std::move(root), .is_template = false};
}

}  // namespace

std::expected<Tree, ExprError> parse_expression(std::string_view source, const ParseLimits& limits) {
  if (looks_like_template(source)) {
    const auto tokens = lex_template(source, limits.source_bytes);
    if (tokens && !single_print(*tokens).empty()) {
      return expression_tree(source, single_print(*tokens), TokenType::print_end, Commas::refused, limits);
    }
  }
  const auto tokens = lex_expression(source, limits.source_bytes);
  if (!tokens) return std::unexpected(tokens.error());
  return expression_tree(source, *tokens, TokenType::end, Commas::refused, limits);
}

std::expected<Tree, ExprError> parse_template(std::string_view source, const ParseLimits& limits) {
  const auto tokens = lex_template(source, limits.source_bytes);
  if (!tokens) return std::unexpected(tokens.error());
  if (const auto inner = single_print(*tokens); !inner.empty()) {
    return expression_tree(source, inner, TokenType::print_end, Commas::allowed, limits);
  }
  auto root = TemplateParser(source, *tokens, limits).run();
  if (!root) return std::unexpected(std::move(root.error()));
  return Tree{.source = std::string(source), .root = std::move(*root), .is_template = true};
}

bool looks_like_template(std::string_view source) {
  return source.find("{{") != std::string_view::npos || source.find("{%") != std::string_view::npos ||
         source.find("{#") != std::string_view::npos;
}

}  // namespace stepwell
