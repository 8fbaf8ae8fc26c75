#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/token.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

// Recursive descent over the tokens, with Jinja2's grammar and precedences. After the first error the position is at
// the last token and stays there, so that every loop ends; the trees made from then on are worthless.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view source, std::span<const Token> tokens) : source_(source), tokens_(tokens) {}

  bool failed() const { return error_.has_value(); }
  const ExprError& error() const { return *error_; }

  Node expression();
  // An expression, or several with commas between: a list. `inline_if` off: `if` ends it (for x in xs if c).
  Node expressions(bool inline_if = true);
  Node disjunction();
  // A name, or names with commas: what `for` and `set` assign to.
  Node target(bool in_parentheses = false);
  // `| f | g(1)` applied to a subject.
  Node filters(Node subject);

  const Token& current() const { return tokens_[at_]; }
  const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  const Token& next();
  bool at_word(std::string_view word) const;
  bool accept(TokenType type);
  bool accept_word(std::string_view word);
  void expect(TokenType type);
  Node fail(std::string message, FaultCode code = FaultCode::syntax) {
    return fail_at(current().span, std::move(message), code);
  }
  Node fail_at(Span span, std::string message, FaultCode code = FaultCode::syntax);

  Node make(NodeKind kind, Span from, std::uint32_t at, std::vector<Node> children, Value value = {});
  // Counts how deep brackets and blocks are nested while it lives.
  class Nested {
   public:
    explicit Nested(ExpressionParser& parser);
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    ExpressionParser& parser_;
  };

 private:
  Node conjunction();
  Node negation();
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
  std::string describe_current() const;
  Span around() const;
  std::optional<Comparison> comparison_operator();

  std::string_view source_;
  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  std::optional<ExprError> error_;
};

}  // namespace stepwell
