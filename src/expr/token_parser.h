#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/expr/token.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

// Goes through the tokens and makes nodes. After the first error the position is at the last token and stays there, so
// that every loop ends; the trees made from then on are worthless.
class TokenParser {
 public:
  TokenParser(std::string_view source, std::span<const Lexeme> tokens, std::size_t max_nesting)
      : source_(source), tokens_(tokens), max_nesting_(max_nesting) {}

  bool failed() const { return error_.has_value(); }
  const ExprError& error() const { return *error_; }

  const Lexeme& current() const { return tokens_[at_]; }
  const Lexeme& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  const Lexeme& next();
  bool at_word(std::string_view word) const;
  bool accept(TokenType type);
  bool accept_word(std::string_view word);
  void expect(TokenType type);
  // The current token for a message: 'name', or what it is.
  std::string describe_current() const;

  // Both give a node, so that they can be returned; only the first failure counts.
  Node fail(std::string message, FaultCode code = FaultCode::syntax) {
    return fail_at(current().span, std::move(message), code);
  }
  Node fail_at(Span span, std::string message, FaultCode code = FaultCode::syntax);

  // A node that spans `from` and its children; fails where the tree becomes too deep.
  Node make(NodeKind kind, Span from, std::uint32_t at, std::vector<Node> children, Value value = {});

  // Counts how deep brackets and blocks are nested while it lives.
  class Nested {
   public:
    explicit Nested(TokenParser& parser);
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    TokenParser& parser_;
  };

 private:
  Span around() const;

  std::string_view source_;
  std::span<const Lexeme> tokens_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  std::size_t max_nesting_;
  std::optional<ExprError> error_;
};

// A braced list would copy the nodes, and all that is below them.
template <typename... Nodes>
std::vector<Node> nodes(Nodes... each) {
  std::vector<Node> all;
  all.reserve(sizeof...(each));
  (all.push_back(std::move(each)), ...);
  return all;
}

}  // namespace stepwell
