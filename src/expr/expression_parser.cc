#include "stepwell/expr/expression_parser.h"

#include <fmt/format.h>

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

}  // namespace

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
    const Lexeme op = next();
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
    const Lexeme op = next();
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
    const Lexeme op = next();
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
    const Lexeme sign = next();
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

}  // namespace stepwell
