#include "stepwell/expr/fold.h"

#include <algorithm>

#include "stepwell/base/check.h"
#include "stepwell/expr/compiler_impl.h"
#include "stepwell/expr/evaluator.h"

namespace stepwell {

namespace {

// A constant is made once, but kept as long as the program: it must stay small.
constexpr EvalLimits kFoldLimits = {.fuel = 1000, .text_bytes = 1000};

bool has_value(const Node& node) {
  switch (node.kind) {
    case NodeKind::member:
    case NodeKind::subscript:
    case NodeKind::slice:
    case NodeKind::list:
    case NodeKind::map:
    case NodeKind::negate:
    case NodeKind::plus:
    case NodeKind::invert:
    case NodeKind::arithmetic:
    case NodeKind::concat:
    case NodeKind::compare:
    case NodeKind::all:
    case NodeKind::any:
    case NodeKind::conditional:
    case NodeKind::filter:
    case NodeKind::test:
    case NodeKind::call:
    case NodeKind::method: return true;
    case NodeKind::constant:
    case NodeKind::name:
    case NodeKind::sequence:
    case NodeKind::text:
    case NodeKind::print:
    case NodeKind::branch:
    case NodeKind::loop:
    case NodeKind::set:
    case NodeKind::set_block:
    case NodeKind::attribute: return false;
  }
  CHECK(false);
}

void fold(Node& node) {
  for (Node& child : node.children) fold(child);
  if (!has_value(node)) return;
  // The compiler must still see where a namespace comes from.
  if (node.kind == NodeKind::call && node.value.as_text() == "namespace") return;
  if (!std::ranges::all_of(node.children, [](const Node& child) { return child.kind == NodeKind::constant; })) return;
  // Without the source, which only errors would show: copying it for every node would cost its square.
  const Tree alone{.source = {}, .root = node, .is_template = false};
  const auto program = Compiler(alone).run();
  if (!program || !program->pure) return;
  Ambient ambient;
  const auto value = evaluate(*program, {}, ambient, kFoldLimits);
  if (!value || value->weight() > kFoldLimits.text_bytes) return;
  node.kind = NodeKind::constant;
  node.value = *value;
  node.children.clear();
  node.keywords.clear();
  node.comparisons.clear();
}

}  // namespace

Tree fold_constants(Tree tree) {
  fold(tree.root);
  return tree;
}

}  // namespace stepwell
