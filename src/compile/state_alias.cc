#include "stepwell/compile/state_alias.h"

namespace stepwell {
namespace {

constexpr std::string_view kAlias = "state";
constexpr std::string_view kMeant = "ctx";

// Where the target of a `set` or `for` binds a name; nullptr if it does not.
const Node* binding(const Node& target, std::string_view name) {
  if (target.kind != NodeKind::list) return target.value.as_text() == name ? &target : nullptr;
  for (const Node& child : target.children) {
    if (const Node* found = binding(child, name)) return found;
  }
  return nullptr;
}

const Node* lower(Node& node, bool hidden);

const Node* lower_loop(Node& loop, bool hidden) {
  const Node& target = loop.children[0];
  if (const Node* rebound = binding(target, kMeant)) return rebound;
  const bool hidden_inside = hidden || binding(target, kAlias) != nullptr;
  for (std::size_t i = 1; i < loop.children.size(); ++i) {
    const bool inside = i == 2 || i == 3;  // the condition and the body
    if (const Node* problem = lower(loop.children[i], inside ? hidden_inside : hidden)) return problem;
  }
  return nullptr;
}

const Node* lower(Node& node, bool hidden) {
  if (node.kind == NodeKind::loop) return lower_loop(node, hidden);
  std::size_t first = 0;
  if (node.kind == NodeKind::set || node.kind == NodeKind::set_block) {
    const Node& target = node.children[0];
    for (const std::string_view name : {kAlias, kMeant}) {
      if (const Node* rebound = binding(target, name)) return rebound;
    }
    first = 1;
  }
  if (node.kind == NodeKind::name && !hidden && node.value.as_text() == kAlias) node.value = Value(kMeant);
  for (std::size_t i = first; i < node.children.size(); ++i) {
    if (const Node* problem = lower(node.children[i], hidden)) return problem;
  }
  return nullptr;
}

}  // namespace

const Node* lower_state_alias(Node& root) { return lower(root, false); }

Path lower_state_alias(const Path& path) {
  if (path.empty() || path[0] != Segment(kAlias)) return path;
  Path meant{Segment(kMeant)};
  for (const Segment& segment : path.without_first(1)) meant.push_back(segment);
  return meant;
}

bool is_ctx_target(const Path& path) {
  return path.size() >= 2 && path[0] == Segment(kMeant) && path[1] != Segment("_last_error");
}

}  // namespace stepwell
