#include <algorithm>

#include "stepwell/expr/tree.h"

namespace stepwell {

bool same_tree(const Node& a, const Node& b) {
  return a.kind == b.kind && a.op == b.op && a.value == b.value && a.keywords == b.keywords &&
         a.comparisons == b.comparisons && std::ranges::equal(a.children, b.children, same_tree);
}

}  // namespace stepwell
