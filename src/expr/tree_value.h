#pragma once

#include <expected>
#include <string>

#include "stepwell/expr/tree.h"
#include "stepwell/value/value.h"

namespace stepwell {

// The tree as a value, for canonical bytes: the nodes in a flat list, operands before operators. It holds what the tree
// means and nothing of its source. The grammar is docs/formats/expression.md. For trees that the parser made.
Value tree_to_value(const Tree& tree);

// Reads it back, with the canonical text as source. Refuses what `tree_to_value` cannot have written; the message
// starts with the place as a JSON pointer: "/3: 'and' takes 2 operands, but only 1 comes before it".
std::expected<Tree, std::string> tree_from_value(const Value& value);

}  // namespace stepwell
