#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace stepwell::schema {

// A regular expression of ECMA 262, as `pattern`, `patternProperties` and the format "regex" take it, compiled to an
// automaton: matching is linear in the text. Look-around and back-references are refused, since no automaton has them.
// Immutable, cheap to copy, safe to share between threads.
class Pattern {
 public:
  // The error says what is wrong with the expression, and where in it if that is known.
  static std::expected<Pattern, std::string> compile(std::string_view source);

  // Whether the text, which is UTF-8, has a match anywhere.
  bool matches(std::string_view text) const;
  // As written.
  std::string_view source() const;

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace stepwell::schema
