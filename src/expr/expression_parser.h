#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stepwell/expr/token_parser.h"

namespace stepwell {

// Recursive descent with Jinja2's grammar and precedences. Operators are in expression_parser.cc, what they join in
// operand_parser.cc.
class ExpressionParser : public TokenParser {
 public:
  using TokenParser::TokenParser;

  Node expression();
  // An expression, or several with commas between: a list. `inline_if` off: `if` ends it (for x in xs if c).
  Node expressions(bool inline_if = true);
  // A name, or names with commas: what `for` and `set` assign to.
  Node target(bool in_parentheses = false);
  // `| f | g(1)` and `is t` applied to a subject.
  Node filters(Node subject);

 private:
  Node disjunction();
  Node conjunction();
  Node negation();
  std::optional<Comparison> comparison_operator();
  Node comparison();
  Node sum();
  Node concatenation();
  Node product();
  Node power();
  Node unary(bool with_filters);

  Node primary();
  Node parenthesised();
  Node list_literal();
  Node map_literal();
  Node postfix(Node subject);
  Node subscript(Node subject);
  Node slice_or_key(Node subject, Span from);
  Node call(Node callee);
  Node filter(Node subject);
  Node test(Node subject);
  void arguments(Node& node);
  std::string dotted_name();
};

}  // namespace stepwell
