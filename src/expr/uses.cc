#include "stepwell/expr/uses.h"

#include <set>

#include <fmt/format.h>

#include "stepwell/expr/builtin.h"

namespace stepwell {

namespace {

void collect(std::set<std::string>& uses, const Node& node) {
  auto use = [&](std::string_view kind) { uses.insert(fmt::format("{}:{}", kind, node.value.as_text())); };
  if (node.kind == NodeKind::filter) use("filter");
  if (node.kind == NodeKind::test) use("test");
  if (node.kind == NodeKind::call) use("function");
  // loop.cycle and loop.changed are part of the loop.
  if (node.kind == NodeKind::method && find_method(node.value.as_text()) != nullptr) use("method");
  for (const Node& child : node.children) collect(uses, child);
}

}  // namespace

std::vector<std::string> uses_of(const Node& root) {
  std::set<std::string> uses;
  collect(uses, root);
  return {uses.begin(), uses.end()};
}

}  // namespace stepwell
