#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/tree.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

namespace {

std::string_view kind_label(NodeKind kind) {
  switch (kind) {
    case NodeKind::constant: return "constant";
    case NodeKind::name: return "name";
    case NodeKind::member: return "member";
    case NodeKind::subscript: return "subscript";
    case NodeKind::slice: return "slice";
    case NodeKind::list: return "list";
    case NodeKind::map: return "map";
    case NodeKind::negate: return "negate";
    case NodeKind::plus: return "plus";
    case NodeKind::invert: return "not";
    case NodeKind::arithmetic: return "arithmetic";
    case NodeKind::concat: return "concat";
    case NodeKind::compare: return "compare";
    case NodeKind::all: return "and";
    case NodeKind::any: return "or";
    case NodeKind::conditional: return "conditional";
    case NodeKind::filter: return "filter";
    case NodeKind::test: return "test";
    case NodeKind::call: return "call";
    case NodeKind::method: return "method";
    case NodeKind::sequence: return "sequence";
    case NodeKind::text: return "text";
    case NodeKind::print: return "print";
    case NodeKind::branch: return "if";
    case NodeKind::loop: return "for";
    case NodeKind::set: return "set";
    case NodeKind::set_block: return "set block";
    case NodeKind::attribute: return "attribute";
  }
  CHECK(false);
}

// What a node says beyond its kind: the constant, the name, the operator.
std::string detail(const Node& node) {
  switch (node.kind) {
    case NodeKind::constant:
    case NodeKind::text: return " " + to_json(node.value);
    case NodeKind::name:
    case NodeKind::member:
    case NodeKind::filter:
    case NodeKind::test:
    case NodeKind::call:
    case NodeKind::method: return fmt::format(" {}", node.value.as_text());
    case NodeKind::attribute: return fmt::format(" {}.{}", node.value.as_text(), node.keywords[0]);
    case NodeKind::arithmetic: return fmt::format(" {}", symbol(static_cast<Arithmetic>(node.op)));
    case NodeKind::compare: {
      std::string operators;
      for (const Comparison op : node.comparisons) operators += fmt::format(" {}", symbol(op));
      return operators;
    }
    default: return "";
  }
}

void append(std::string& out, const Node& node, std::size_t indent, std::string_view keyword) {
  out.append(indent * 2, ' ');
  if (!keyword.empty()) out += fmt::format("{}=", keyword);
  out += fmt::format("{}{}\n", kind_label(node.kind), detail(node));
  if (node.kind == NodeKind::attribute) return;
  const std::size_t positional = node.children.size() - node.keywords.size();
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    append(out, node.children[i], indent + 1, i < positional ? "" : node.keywords[i - positional]);
  }
}

}  // namespace

std::string dump(const Tree& tree) {
  std::string out;
  append(out, tree.root, 0, "");
  return out;
}

}  // namespace stepwell
