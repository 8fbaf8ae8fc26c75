#include "stepwell/compile/fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/nearest.h"
#include "stepwell/compile/scalars.h"

namespace stepwell {

Fields::Fields(const Yaml& node, std::string what, Diagnostics& diagnostics)
    : node_(node), what_(std::move(what)), diagnostics_(diagnostics), is_map_(node.kind == Kind::map) {
  if (!is_map_ && !node.faulty) wrong_kind(node, what_, "a map", diagnostics_);
}

const Yaml* Fields::take(std::string_view key) {
  known_.push_back(key);
  const Yaml* value = is_map_ && std::ranges::count(dropped_, key) == 0 ? node_.find(key) : nullptr;
  return value == nullptr || value->faulty ? nullptr : value;
}

const Yaml* Fields::need(std::string_view key) {
  if (is_map_ && !has(key)) missing_.push_back(key);
  return take(key);
}

Mark Fields::key_mark(std::string_view key) const {
  const auto found = std::ranges::find(node_.members, key, &YamlMember::key);
  return found == node_.members.end() ? node_.mark : found->key_mark;
}

void Fields::finish() const {
  std::vector<std::string_view> meant;
  for (const YamlMember& member : node_.members) {
    if (is_known(member)) continue;
    if (const auto near = nearest(member.key, known_)) meant.push_back(*near);
    complain_unknown(member, known_);
  }
  for (const std::string_view key : missing_) {
    if (std::ranges::count(meant, key) == 0) complain_missing(key);
  }
}

void Fields::finish_open() const {
  for (const std::string_view key : missing_) {
    const std::span<const std::string_view> wanted(&key, 1);
    const auto misspelt = std::ranges::find_if(
        node_.members, [&](const YamlMember& member) { return !is_known(member) && nearest(member.key, wanted); });
    misspelt != node_.members.end() ? complain_unknown(*misspelt, wanted) : complain_missing(key);
  }
}

bool Fields::is_known(const YamlMember& member) const {
  return std::ranges::count(known_, member.key) != 0 || std::ranges::count(dropped_, member.key) != 0;
}

void Fields::complain_unknown(const YamlMember& member, std::span<const std::string_view> known) const {
  diagnostics_.error(member.key_mark, "key-unknown", fmt::format("{} has no key '{}'", what_, member.key),
                     did_you_mean(member.key, known));
}

void Fields::complain_missing(std::string_view key) const {
  diagnostics_.error(node_.mark, "key-missing", fmt::format("{} has no '{}'", what_, key));
}

}  // namespace stepwell
