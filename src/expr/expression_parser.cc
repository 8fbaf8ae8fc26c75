#include "stepwell/expr/expression_parser.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/expr/operators.h"

namespace stepwell {

namespace {

std::optional<Arithmetic> arithmetic_of(TokenType type) {
  switch (type) {
    case TokenType::add: return Arithmetic::add;
    case TokenType::subtract: return Arithmetic::subtract;
    case TokenType::multiply: return Arithmetic::multiply;
    case TokenType::divide: return Arithmetic::divide;
    case TokenType::floor_divide: return Arithmetic::floor_divide;
    case TokenType::modulo: return Arithmetic::modulo;
    case TokenType::power: return Arithmetic::power;
    default: return std::nullopt;
  }
}

bool is_keyword(std::string_view word) {
  constexpr std::string_view kKeywords[] = {"and", "else", "if", "in", "is", "not", "or"};
  return std::ranges::count(kKeywords, word) != 0;
}

Span joined(Span from, const Node& to) { return {from.begin, std::max(from.end, to.span.end)}; }

template <typename... Nodes>
std::vector<Node> nodes(Nodes... each) {
  std::vector<Node> all;
  all.reserve(sizeof...(each));
  (all.push_back(std::move(each)), ...);
  return all;
}

}  // namespace

ExpressionParser::Nested::Nested(ExpressionParser& parser) : parser_(parser) {
  if (++parser_.nesting_ > limits::kExprNesting) {
    parser_.fail(fmt::format("this nests more than {} deep", limits::kExprNesting), FaultCode::depth);
  }
}

const Token& ExpressionParser::next() {
  const Token& taken = current();
  if (at_ + 1 < tokens_.size()) ++at_;
  return taken;
}

bool ExpressionParser::at_word(std::string_view word) const {
  return current().type == TokenType::name && current().value.as_text() == word;
}

bool ExpressionParser::accept(TokenType type) {
  if (current().type != type) return false;
  next();
  return true;
}

bool ExpressionParser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  next();
  return true;
}

void ExpressionParser::expect(TokenType type) {
  if (!accept(type)) fail(fmt::format("expected {}, found {}", token_word(type), describe_current()));
}

std::string ExpressionParser::describe_current() const {
  const Token& token = current();
  if (token.type == TokenType::name) return fmt::format("'{}'", token.value.as_text());
  return std::string(token_word(token.type));
}

// The {{ }} or {% %} that the current token is in, or the whole source.
Span ExpressionParser::around() const {
  auto is_begin = [](const Token& token) {
    return token.type == TokenType::print_begin || token.type == TokenType::tag_begin;
  };
  auto is_end = [](const Token& token) {
    return token.type == TokenType::print_end || token.type == TokenType::tag_end || token.type == TokenType::end;
  };
  const auto here = tokens_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto begin = std::find_if(std::reverse_iterator(here), tokens_.rend(), is_begin);
  const auto end = std::find_if(here, tokens_.end(), is_end);
  if (begin == tokens_.rend()) return {0, static_cast<std::uint32_t>(source_.size())};
  return {begin->span.begin, end->span.end};
}

Node ExpressionParser::fail_at(Span span, std::string message, FaultCode code) {
  if (!error_) {
    error_ = ExprError{.code = code,
                       .message = std::move(message),
                       .detail = {},
                       .source = std::string(source_),
                       .expression = around(),
                       .at = span.begin,
                       .path = std::nullopt};
    at_ = tokens_.size() - 1;
  }
  return {};
}

Node ExpressionParser::make(NodeKind kind, Span from, std::uint32_t at, std::vector<Node> children, Value value) {
  Node node{.kind = kind, .span = from, .at = at, .value = std::move(value)};
  for (const Node& child : children) {
    node.depth = std::max(node.depth, child.depth + 1);
    node.span = joined(node.span, child);
  }
  node.children = std::move(children);
  if (node.depth > limits::kExprTreeDepth) {
    return fail_at(from, fmt::format("this chains more than {} operators", limits::kExprTreeDepth), FaultCode::depth);
  }
  return node;
}

Node ExpressionParser::expression() {
  const Nested nested(*this);
  Node result = disjunction();
  while (at_word("if")) {
    const Span from = result.span;
    const std::uint32_t at = next().span.begin;
    Node condition = disjunction();
    if (accept_word("else")) {
      result = make(NodeKind::conditional, from, at, nodes(std::move(condition), std::move(result), expression()));
    } else {
      result = make(NodeKind::conditional, from, at, nodes(std::move(condition), std::move(result)));
    }
  }
  return result;
}

Node ExpressionParser::expressions(bool inline_if) {
  auto one = [&] { return inline_if ? expression() : disjunction(); };
  auto at_end = [&] {
    const TokenType type = current().type;
    return type == TokenType::print_end || type == TokenType::tag_end || type == TokenType::close_paren ||
           type == TokenType::end || (!inline_if && at_word("if"));
  };
  if (at_end()) return fail(fmt::format("expected an expression, found {}", describe_current()));
  Node first = one();
  if (current().type != TokenType::comma) return first;
  const Span from = first.span;
  std::vector<Node> items = nodes(std::move(first));
  while (accept(TokenType::comma) && !at_end()) items.push_back(one());
  return make(NodeKind::list, from, from.begin, std::move(items));
}

Node ExpressionParser::disjunction() {
  Node first = conjunction();
  if (!at_word("or")) return first;
  const Span from = first.span;
  const std::uint32_t at = current().span.begin;
  std::vector<Node> operands = nodes(std::move(first));
  while (accept_word("or")) operands.push_back(conjunction());
  return make(NodeKind::any, from, at, std::move(operands));
}

Node ExpressionParser::conjunction() {
  Node first = negation();
  if (!at_word("and")) return first;
  const Span from = first.span;
  const std::uint32_t at = current().span.begin;
  std::vector<Node> operands = nodes(std::move(first));
  while (accept_word("and")) operands.push_back(negation());
  return make(NodeKind::all, from, at, std::move(operands));
}

Node ExpressionParser::negation() {
  if (!at_word("not")) return comparison();
  const Nested nested(*this);
  const Span from = next().span;
  return make(NodeKind::invert, from, from.begin, nodes(negation()));
}

std::optional<Comparison> ExpressionParser::comparison_operator() {
  switch (current().type) {
    case TokenType::equal: next(); return Comparison::equal;
    case TokenType::not_equal: next(); return Comparison::not_equal;
    case TokenType::less: next(); return Comparison::less;
    case TokenType::less_equal: next(); return Comparison::less_equal;
    case TokenType::greater: next(); return Comparison::greater;
    case TokenType::greater_equal: next(); return Comparison::greater_equal;
    default: break;
  }
  if (accept_word("in")) return Comparison::in;
  if (at_word("not") && ahead().type == TokenType::name && ahead().value.as_text() == "in") {
    next();
    next();
    return Comparison::not_in;
  }
  return std::nullopt;
}

Node ExpressionParser::comparison() {
  Node first = sum();
  const Span from = first.span;
  const std::uint32_t at = current().span.begin;
  std::vector<Node> operands = nodes(std::move(first));
  std::vector<Comparison> comparisons;
  while (const std::optional<Comparison> op = comparison_operator()) {
    comparisons.push_back(*op);
    operands.push_back(sum());
  }
  if (comparisons.empty()) return std::move(operands.front());
  Node node = make(NodeKind::compare, from, at, std::move(operands));
  node.comparisons = std::move(comparisons);
  return node;
}

Node ExpressionParser::sum() {
  Node left = concatenation();
  while (current().type == TokenType::add || current().type == TokenType::subtract) {
    const Token op = next();
    const Span from = left.span;
    left = make(NodeKind::arithmetic, from, op.span.begin, nodes(std::move(left), concatenation()));
    left.op = static_cast<std::uint8_t>(*arithmetic_of(op.type));
  }
  return left;
}

Node ExpressionParser::concatenation() {
  Node first = product();
  if (current().type != TokenType::tilde) return first;
  const Span from = first.span;
  const std::uint32_t at = current().span.begin;
  std::vector<Node> parts = nodes(std::move(first));
  while (accept(TokenType::tilde)) parts.push_back(product());
  return make(NodeKind::concat, from, at, std::move(parts));
}

Node ExpressionParser::product() {
  Node left = power();
  auto at_product = [&] {
    const TokenType type = current().type;
    return type == TokenType::multiply || type == TokenType::divide || type == TokenType::floor_divide ||
           type == TokenType::modulo;
  };
  while (at_product()) {
    const Token op = next();
    const Span from = left.span;
    left = make(NodeKind::arithmetic, from, op.span.begin, nodes(std::move(left), power()));
    left.op = static_cast<std::uint8_t>(*arithmetic_of(op.type));
  }
  return left;
}

// Jinja2's power binds to the left: 2 ** 3 ** 2 is 64.
Node ExpressionParser::power() {
  Node left = unary(true);
  while (current().type == TokenType::power) {
    const Token op = next();
    const Span from = left.span;
    left = make(NodeKind::arithmetic, from, op.span.begin, nodes(std::move(left), unary(true)));
    left.op = static_cast<std::uint8_t>(Arithmetic::power);
  }
  return left;
}

Node ExpressionParser::unary(bool with_filters) {
  Node node;
  if (current().type == TokenType::subtract || current().type == TokenType::add) {
    const Nested nested(*this);
    const Token sign = next();
    if (sign.type == TokenType::subtract && current().type == TokenType::lowest) {
      const Span span{sign.span.begin, next().span.end};
      node = make(NodeKind::constant, span, span.begin, {}, std::numeric_limits<std::int64_t>::min());
    } else {
      const NodeKind kind = sign.type == TokenType::subtract ? NodeKind::negate : NodeKind::plus;
      node = make(kind, sign.span, sign.span.begin, nodes(unary(false)));
    }
  } else {
    node = primary();
  }
  node = postfix(std::move(node));
  return with_filters ? filters(std::move(node)) : node;
}

Node ExpressionParser::primary() {
  const Token token = current();
  switch (token.type) {
    case TokenType::name: {
      next();
      const std::string_view word = token.value.as_text();
      if (word == "true" || word == "True") return make(NodeKind::constant, token.span, token.span.begin, {}, true);
      if (word == "false" || word == "False") return make(NodeKind::constant, token.span, token.span.begin, {}, false);
      if (word == "none" || word == "None") return make(NodeKind::constant, token.span, token.span.begin, {});
      if (is_keyword(word)) return fail_at(token.span, fmt::format("expected an expression, found '{}'", word));
      return make(NodeKind::name, token.span, token.span.begin, {}, token.value);
    }
    case TokenType::text: {
      std::string text;
      Span span = token.span;
      while (current().type == TokenType::text) {
        span.end = current().span.end;
        text += next().value.as_text();
      }
      return make(NodeKind::constant, span, span.begin, {}, text);
    }
    case TokenType::integer:
    case TokenType::real: next(); return make(NodeKind::constant, token.span, token.span.begin, {}, token.value);
    case TokenType::lowest: return fail("this integer does not fit in 64 bits");
    case TokenType::open_paren: return parenthesised();
    case TokenType::open_bracket: return list_literal();
    case TokenType::open_brace: return map_literal();
    default: return fail(fmt::format("expected an expression, found {}", describe_current()));
  }
}

Node ExpressionParser::parenthesised() {
  const Nested nested(*this);
  const Span from = next().span;
  if (current().type == TokenType::close_paren) {
    const Span to = next().span;
    return make(NodeKind::list, {from.begin, to.end}, from.begin, {});
  }
  Node inner = expressions();
  inner.span = {from.begin, current().span.end};
  expect(TokenType::close_paren);
  return inner;
}

Node ExpressionParser::list_literal() {
  const Nested nested(*this);
  const Span from = next().span;
  std::vector<Node> items;
  while (!failed() && current().type != TokenType::close_bracket) {
    items.push_back(expression());
    if (!accept(TokenType::comma)) break;
  }
  const Span to = current().span;
  expect(TokenType::close_bracket);
  return make(NodeKind::list, {from.begin, to.end}, from.begin, std::move(items));
}

Node ExpressionParser::map_literal() {
  const Nested nested(*this);
  const Span from = next().span;
  std::vector<Node> members;
  while (!failed() && current().type != TokenType::close_brace) {
    members.push_back(expression());
    expect(TokenType::colon);
    members.push_back(expression());
    if (!accept(TokenType::comma)) break;
  }
  const Span to = current().span;
  expect(TokenType::close_brace);
  return make(NodeKind::map, {from.begin, to.end}, from.begin, std::move(members));
}

Node ExpressionParser::postfix(Node subject) {
  while (true) {
    switch (current().type) {
      case TokenType::dot:
      case TokenType::open_bracket: subject = subscript(std::move(subject)); break;
      case TokenType::open_paren: subject = call(std::move(subject)); break;
      default: return subject;
    }
  }
}

Node ExpressionParser::subscript(Node subject) {
  const Nested nested(*this);
  const Span from = subject.span;
  if (accept(TokenType::dot)) {
    const Token key = next();
    if (key.type == TokenType::name) {
      Node node = make(NodeKind::member, from, key.span.begin, nodes(std::move(subject)), key.value);
      node.span.end = key.span.end;
      return node;
    }
    if (key.type != TokenType::integer) return fail_at(key.span, "expected a name or a number behind '.'");
    Node index = make(NodeKind::constant, key.span, key.span.begin, {}, key.value);
    return make(NodeKind::subscript, from, key.span.begin, nodes(std::move(subject), std::move(index)));
  }
  next();
  Node node = slice_or_key(std::move(subject), from);
  node.span.end = current().span.end;
  expect(TokenType::close_bracket);
  return node;
}

// Behind the bracket: a key, or start:stop:step with any of them left out.
Node ExpressionParser::slice_or_key(Node subject, Span from) {
  const std::uint32_t at = current().span.begin;
  auto bound = [&] {
    const bool absent = current().type == TokenType::colon || current().type == TokenType::close_bracket;
    return absent ? make(NodeKind::constant, current().span, at, {}) : expression();
  };
  if (current().type == TokenType::close_bracket) return fail("expected a key or an index between '[' and ']'");
  Node start = bound();
  if (!accept(TokenType::colon)) {
    return make(NodeKind::subscript, from, at, nodes(std::move(subject), std::move(start)));
  }
  Node stop = bound();
  Node step = accept(TokenType::colon) ? bound() : make(NodeKind::constant, current().span, at, {});
  return make(NodeKind::slice, from, at, nodes(std::move(subject), std::move(start), std::move(stop), std::move(step)));
}

Node ExpressionParser::call(Node callee) {
  const Span from = callee.span;
  Node node;
  if (callee.kind == NodeKind::name) {
    node = make(NodeKind::call, from, callee.at, {}, callee.value);
  } else if (callee.kind == NodeKind::member) {
    node = make(NodeKind::method, from, callee.at, nodes(std::move(callee.children[0])), callee.value);
  } else {
    return fail("only a function or a method can be called");
  }
  arguments(node);
  return node;
}

Node ExpressionParser::filters(Node subject) {
  while (true) {
    if (current().type == TokenType::pipe) {
      subject = filter(std::move(subject));
    } else if (at_word("is")) {
      subject = test(std::move(subject));
    } else if (current().type == TokenType::open_paren) {
      return fail("only a function or a method can be called");
    } else {
      return subject;
    }
  }
}

std::string ExpressionParser::dotted_name() {
  auto part = [&]() -> std::string {
    if (current().type != TokenType::name) {
      fail(fmt::format("expected a name, found {}", describe_current()));
      return {};
    }
    return std::string(next().value.as_text());
  };
  std::string name = part();
  while (accept(TokenType::dot)) name += "." + part();
  return name;
}

Node ExpressionParser::filter(Node subject) {
  const Span from = subject.span;
  next();
  const Span name_span = current().span;
  const std::string name = dotted_name();
  Node node = make(NodeKind::filter, {from.begin, name_span.end}, name_span.begin, nodes(std::move(subject)), name);
  if (current().type == TokenType::open_paren) arguments(node);
  return node;
}

Node ExpressionParser::test(Node subject) {
  const Span from = subject.span;
  const Span is = next().span;
  const bool negated = accept_word("not");
  const Span name_span = current().span;
  const std::string name = dotted_name();
  Node node = make(NodeKind::test, {from.begin, name_span.end}, name_span.begin, nodes(std::move(subject)), name);
  switch (current().type) {
    case TokenType::open_paren: arguments(node); break;
    case TokenType::name:
      if (at_word("else") || at_word("or") || at_word("and")) break;
      if (at_word("is")) return fail("a test cannot follow a test; put the first one in parentheses");
      [[fallthrough]];
    case TokenType::text:
    case TokenType::integer:
    case TokenType::real:
    case TokenType::open_bracket:
    case TokenType::open_brace: {
      std::vector<Node> children = std::move(node.children);
      children.push_back(postfix(primary()));
      node = make(NodeKind::test, node.span, node.at, std::move(children), node.value);
      break;
    }
    default: break;
  }
  return negated ? make(NodeKind::invert, {from.begin, node.span.end}, is.begin, nodes(std::move(node))) : node;
}

void ExpressionParser::arguments(Node& node) {
  const Nested nested(*this);
  expect(TokenType::open_paren);
  std::vector<Node> children = std::move(node.children);
  while (!failed() && current().type != TokenType::close_paren) {
    if (current().type == TokenType::multiply || current().type == TokenType::power) {
      fail("arguments from a list or map (* and **) are not part of the language", FaultCode::unsupported);
    } else if (current().type == TokenType::name && ahead().type == TokenType::assign) {
      const Token keyword = next();
      if (std::ranges::count(node.keywords, keyword.value.as_text()) != 0) {
        fail_at(keyword.span, fmt::format("the argument '{}' is given twice", keyword.value.as_text()));
      }
      node.keywords.emplace_back(keyword.value.as_text());
      next();
      children.push_back(expression());
    } else {
      if (!node.keywords.empty()) fail("an argument without a name cannot follow one with a name");
      children.push_back(expression());
    }
    if (!accept(TokenType::comma)) break;
  }
  const std::uint32_t end = current().span.end;
  expect(TokenType::close_paren);
  Node filled = make(node.kind, node.span, node.at, std::move(children), node.value);
  filled.keywords = std::move(node.keywords);
  filled.span.end = end;
  node = std::move(filled);
}

Node ExpressionParser::target(bool in_parentheses) {
  const Nested nested(*this);
  auto one = [&]() -> Node {
    if (accept(TokenType::open_paren)) {
      Node inner = target(true);
      expect(TokenType::close_paren);
      return inner;
    }
    if (current().type != TokenType::name) {
      return fail(fmt::format("expected a name to assign to, found {}", describe_current()));
    }
    constexpr std::string_view kConstants[] = {"true", "false", "none", "True", "False", "None", "loop"};
    if (is_keyword(current().value.as_text()) || std::ranges::count(kConstants, current().value.as_text()) != 0) {
      return fail(fmt::format("'{}' cannot be assigned to", current().value.as_text()));
    }
    const Token name = next();
    return make(NodeKind::name, name.span, name.span.begin, {}, name.value);
  };
  Node first = one();
  if (current().type != TokenType::comma) return first;
  const Span from = first.span;
  std::vector<Node> names = nodes(std::move(first));
  while (accept(TokenType::comma)) {
    if (at_word("in") || current().type == TokenType::assign ||
        (in_parentheses && current().type == TokenType::close_paren))
      break;
    names.push_back(one());
  }
  return make(NodeKind::list, from, from.begin, std::move(names));
}

}  // namespace stepwell
