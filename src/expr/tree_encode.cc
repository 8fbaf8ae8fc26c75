#include "stepwell/base/check.h"
#include "stepwell/expr/tree_value.h"
#include "stepwell/expr/tree_words.h"

namespace stepwell {

namespace {

Value word_of(Comparison op) { return node_word(NodeKind::compare, static_cast<std::uint8_t>(op)).word; }

Value encoded(const Node& node) {
  if (node.kind == NodeKind::constant && !node.value.is_text()) return node.value;
  if (node.kind == NodeKind::compare) {
    if (node.comparisons.size() == 1) return word_of(node.comparisons[0]);
    std::vector<Value> words;
    words.reserve(node.comparisons.size());
    for (const Comparison op : node.comparisons) words.push_back(word_of(op));
    return Value::list(std::move(words));
  }
  const NodeWord& row = node_word(node.kind, node.op);
  const auto count = static_cast<std::int64_t>(node.children.size());
  switch (row.shape) {
    case NodeShape::plain: return row.word;
    case NodeShape::counted: return Value::list({row.word, count});
    case NodeShape::named: return Value::list({row.word, node.value});
    case NodeShape::attribute: return Value::list({row.word, node.value, node.keywords[0]});
    case NodeShape::called: {
      std::vector<Value> fields = {row.word, node.value, count - row.least};
      fields.insert(fields.end(), node.keywords.begin(), node.keywords.end());
      return Value::list(std::move(fields));
    }
    case NodeShape::comparison: break;
  }
  CHECK(false);
}

void append(std::vector<Value>& out, const Node& node) {
  for (const Node& child : node.children) append(out, child);
  out.push_back(encoded(node));
}

}  // namespace

Value tree_to_value(const Tree& tree) {
  std::vector<Value> nodes;
  append(nodes, tree.root);
  return Value::list(std::move(nodes));
}

}  // namespace stepwell
