#include "stepwell/compile/fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/compile/scalars.h"

namespace stepwell {

Fields::Fields(const Yaml& node, std::string what, Diagnostics& diagnostics)
    : node_(node), what_(std::move(what)), diagnostics_(diagnostics), is_map_(node.kind == Kind::map) {
  if (!is_map_ && !node.faulty) wrong_kind(node, what_, "a map", diagnostics_);
}

const Yaml* Fields::take(std::string_view key) {
  known_.push_back(key);
  const Yaml* value = is_map_ ? node_.find(key) : nullptr;
  return value == nullptr || value->faulty ? nullptr : value;
}

const Yaml* Fields::need(std::string_view key) {
  const Yaml* value = take(key);
  if (is_map_ && !has(key)) {
    diagnostics_.error(node_.mark, "key-missing", fmt::format("{} has no '{}'", what_, key));
  }
  return value;
}

Mark Fields::key_mark(std::string_view key) const {
  const auto found = std::ranges::find(node_.members, key, &YamlMember::key);
  return found == node_.members.end() ? node_.mark : found->key_mark;
}

void Fields::finish() const {
  for (const YamlMember& member : node_.members) {
    if (std::ranges::count(known_, member.key) != 0) continue;
    diagnostics_.error(member.key_mark, "key-unknown", fmt::format("{} has no key '{}'", what_, member.key),
                       did_you_mean(member.key, known_));
  }
}

}  // namespace stepwell
