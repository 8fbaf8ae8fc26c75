#include "stepwell/expr/token_parser.h"

#include <fmt/format.h>

#include "stepwell/base/limits.h"

namespace stepwell {

TokenParser::Nested::Nested(TokenParser& parser) : parser_(parser) {
  if (++parser_.nesting_ > parser_.max_nesting_) {
    parser_.fail(fmt::format("this nests more than {} deep", parser_.max_nesting_), FaultCode::depth);
  }
}

const Lexeme& TokenParser::next() {
  const Lexeme& taken = current();
  if (at_ + 1 < tokens_.size()) ++at_;
  return taken;
}

bool TokenParser::at_word(std::string_view word) const {
  return current().type == TokenType::name && current().value.as_text() == word;
}

bool TokenParser::accept(TokenType type) {
  if (current().type != type) return false;
  next();
  return true;
}

bool TokenParser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  next();
  return true;
}

void TokenParser::expect(TokenType type) {
  if (!accept(type)) fail(fmt::format("expected {}, found {}", token_word(type), describe_current()));
}

std::string TokenParser::describe_current() const {
  const Lexeme& token = current();
  if (token.type == TokenType::name) return fmt::format("'{}'", token.value.as_text());
  return std::string(token_word(token.type));
}

// The {{ }} or {% %} that the current token is in, or the whole source.
Span TokenParser::around() const {
  auto is_begin = [](const Lexeme& token) {
    return token.type == TokenType::print_begin || token.type == TokenType::tag_begin;
  };
  auto is_end = [](const Lexeme& token) {
    return token.type == TokenType::print_end || token.type == TokenType::tag_end || token.type == TokenType::end;
  };
  const auto here = tokens_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto begin = std::find_if(std::reverse_iterator(here), tokens_.rend(), is_begin);
  const auto end = std::find_if(here, tokens_.end(), is_end);
  if (begin == tokens_.rend()) return {0, static_cast<std::uint32_t>(source_.size())};
  return {begin->span.begin, end->span.end};
}

Node TokenParser::fail_at(Span span, std::string message, FaultCode code) {
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

Node TokenParser::make(NodeKind kind, Span from, std::uint32_t at, std::vector<Node> children, Value value) {
  Node node{.kind = kind, .span = from, .at = at, .value = std::move(value)};
  for (const Node& child : children) {
    node.depth = std::max(node.depth, child.depth + 1);
    node.span.end = std::max(node.span.end, child.span.end);
  }
  node.children = std::move(children);
  if (node.depth > limits::kExprTreeDepth) {
    return fail_at(from, fmt::format("this chains more than {} operators", limits::kExprTreeDepth), FaultCode::depth);
  }
  return node;
}

}  // namespace stepwell
