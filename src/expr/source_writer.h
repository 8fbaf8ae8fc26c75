#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stepwell/expr/tree.h"

namespace stepwell {

// How tightly the parts of an expression hold together, in the order of the grammar: an operand that binds less than
// its place demands needs parentheses.
enum class Binding : std::uint8_t {
  conditional,
  disjunction,
  conjunction,
  negation,
  comparison,
  sum,
  concatenation,
  product,
  power,
  filtered,
  sign,
  primary,
};

// Writes expressions in the canonical style (docs/formats/expression.md). Takes any node whose children are as many as
// its kind says; of one that the parser would not have made, the text means something else or nothing.
class SourceWriter {
 public:
  void expression(const Node& node, Binding at_least = Binding::conditional);
  // What `for` and `set` assign to.
  void target(const Node& node);
  void append(std::string_view text) { out_ += text; }
  // A word between operands, with a space on either side.
  void word(std::string_view text);

  std::string take() { return std::move(out_); }

 private:
  void bare(const Node& node);
  void constant(const Value& value);
  void text(std::string_view text);
  void slice(const Node& node);
  void items(const Node& node, std::size_t first);
  void map(const Node& node);
  void prefixed(std::string_view prefix, const Node& node, Binding operand);
  void invert(const Node& node);
  void arithmetic(const Node& node);
  void compare(const Node& node);
  void chained(const Node& node, std::string_view op, Binding operand);
  void conditional(const Node& node);
  void filter(const Node& node);
  void test(const Node& node, std::string_view is);
  void method(const Node& node);
  void arguments(const Node& node, std::size_t first);
  void nested_target(const Node& node);

  std::string out_;
  std::size_t bare_test_ = std::string::npos;  // where the name of a test without arguments ended last
};

}  // namespace stepwell
