#include "stepwell/expr/secrets.h"

#include <algorithm>

#include <fmt/format.h>

namespace stepwell {
namespace {

bool is_call(const Node& node) { return node.kind == NodeKind::call && node.value.as_text() == "secret"; }

bool is_name(const Value& value) {
  if (!value.is_text() || value.as_text().empty()) return false;
  auto starts = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto continues = [&](char c) { return starts(c) || (c >= '0' && c <= '9'); };
  return starts(value.as_text().front()) && std::ranges::all_of(value.as_text(), continues);
}

bool names_one(const Node& call) {
  return call.children.size() == 1 && call.children[0].kind == NodeKind::constant && is_name(call.children[0].value);
}

const Node* find(const Node& node, bool (*wanted)(const Node&)) {
  if (wanted(node)) return &node;
  for (const Node& child : node.children) {
    if (const Node* found = find(child, wanted)) return found;
  }
  return nullptr;
}

}  // namespace

bool names_secrets(const Program& program) {
  return std::ranges::binary_search(program.uses, std::string_view("function:secret"));
}

const Node* first_secret(const Node& root) { return find(root, is_call); }

std::optional<ExprError> check_secrets(const Tree& tree) {
  const Node* bad = find(tree.root, [](const Node& node) { return is_call(node) && !names_one(node); });
  if (bad == nullptr) return std::nullopt;
  return ExprError{.code = FaultCode::secret,
                   .message = "secret() takes one name, written out: secret('api_key')",
                   .detail = {},
                   .source = tree.source,
                   .expression = bad->span,
                   .at = bad->at,
                   .path = std::nullopt};
}

void hide_values(ExprError& error) {
  error.message = fmt::format("{} error, not told because a secret may be in it", fault_word(error.code));
  error.detail.clear();
  error.path.reset();
}

}  // namespace stepwell
