#pragma once

#include <cstdint>
#include <string_view>

#include "stepwell/expr/tree.h"

namespace stepwell {

// What stands beside the word of a node.
enum class NodeShape : std::uint8_t {
  plain,       // nothing: the word alone
  counted,     // how many operands it takes
  named,       // a name or text
  called,      // a name, how many arguments it takes, the names of the last of them
  attribute,   // two names
  comparison,  // the further words of a chain
};

// How one kind of node is written in a value.
struct NodeWord {
  std::string_view word;
  NodeKind kind;
  NodeShape shape;
  std::uint8_t op;      // Arithmetic or Comparison
  std::uint32_t least;  // operands; for `called`: before the arguments
  std::uint32_t most;
};

// nullptr for an unknown word.
const NodeWord* find_node_word(std::string_view word);
const NodeWord& node_word(NodeKind kind, std::uint8_t op);

}  // namespace stepwell
