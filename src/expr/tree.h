#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/error.h"
#include "stepwell/expr/operators.h"
#include "stepwell/value/value.h"

namespace stepwell {

enum class NodeKind : std::uint8_t {
  // Expressions. `value` is the constant, name or key; `op` the operator.
  constant,
  name,
  member,       // subject . value
  subscript,    // subject, key
  slice,        // subject, start, stop, step; an absent bound is the constant null
  list,         // items
  map,          // key, value, key, value, ...
  negate,       // operand
  plus,         // operand
  invert,       // not operand
  arithmetic,   // left, right; op is an Arithmetic
  concat,       // parts joined by ~
  compare,      // operands of a chain; `comparisons` has what stands between them
  all,          // operands of `and`
  any,          // operands of `or`
  conditional,  // condition, then [, else]
  filter,       // subject, arguments; value is the filter's name
  test,         // subject, arguments; value is the test's name
  call,         // arguments; value is the function's name
  method,       // subject, arguments; value is the method's name
  // Templates.
  sequence,   // parts, one after the other
  text,       // value, as it is
  print,      // expression
  branch,     // condition, part, condition, part, ... [, else part]
  loop,       // target, iterable, condition or the constant true, body [, else part]
  set,        // target, expression
  set_block,  // target, part [, expression over the captured text, which is the name `kCaptured`]
  attribute,  // target of a set: member `keywords[0]` of the namespace `value`
};

// The name under which the filters of `{% set x | f %}` see the text; not a name that anyone can write.
inline constexpr std::string_view kCaptured = "(captured)";

// One node of the tree that a source text means. Plain data: built by the parser, read by everything else.
struct Node {
  NodeKind kind = NodeKind::constant;
  std::uint8_t op = 0;                     // Arithmetic
  Span span = {};                          // the text it was read from
  std::uint32_t at = 0;                    // where a caret should point: the operator, the filter's name
  std::uint32_t depth = 1;                 // of the tree below, itself included; bounded by limits::kExprTreeDepth
  Value value = {};                        // constant, name, key or text
  std::vector<Node> children = {};         // as said above
  std::vector<std::string> keywords = {};  // names of the last keywords.size() arguments
  std::vector<Comparison> comparisons = {};
};

struct Tree {
  std::string source;
  Node root;
  bool is_template = false;  // the root makes text; otherwise it is an expression and makes a value
};

// Whether two nodes mean the same: everything but the places in the source.
bool same_tree(const Node& a, const Node& b);

// The tree as indented lines, one node each: what `stepwell eval --dump tree` shows and tests compare.
std::string dump(const Tree& tree);

}  // namespace stepwell
