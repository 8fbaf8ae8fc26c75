#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "stepwell/expr/expression_parser.h"

namespace stepwell {

namespace {

bool is_keyword(std::string_view word) {
  constexpr std::string_view kKeywords[] = {"and", "else", "if", "in", "is", "not", "or"};
  return std::ranges::count(kKeywords, word) != 0;
}

}  // namespace

Node ExpressionParser::primary() {
  const Lexeme token = current();
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
    const Lexeme key = next();
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
  if (!negated) return node;
  const Span span{from.begin, node.span.end};
  return make(NodeKind::invert, span, is.begin, nodes(std::move(node)));
}

void ExpressionParser::arguments(Node& node) {
  const Nested nested(*this);
  expect(TokenType::open_paren);
  std::vector<Node> children = std::move(node.children);
  std::set<std::string_view> names;  // of the tokens, which stay
  while (!failed() && current().type != TokenType::close_paren) {
    if (current().type == TokenType::multiply || current().type == TokenType::power) {
      fail("arguments from a list or map (* and **) are not part of the language", FaultCode::unsupported);
    } else if (current().type == TokenType::name && ahead().type == TokenType::assign) {
      const Lexeme& keyword = next();
      if (!names.insert(keyword.value.as_text()).second) {
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
    const Lexeme name = next();
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
