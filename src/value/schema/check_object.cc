#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/nearest.h"
#include "stepwell/value/schema/checker.h"
#include "stepwell/value/schema/words.h"

namespace stepwell::schema {

namespace {

// For a property that may not be there: the missing one that its author may have meant.
std::string not_allowed_message(const ObjectRules& rules, const Value& object, std::string_view name) {
  constexpr std::size_t kCandidates = 64;  // looking for a neighbour must not cost more than the check
  std::vector<std::string_view> missing;
  for (const NamedNode& property : rules.properties) {
    if (missing.size() == kCandidates) break;
    if (!object.find(property.name.as_text())) missing.push_back(property.name.as_text());
  }
  const auto meant = nearest(name, missing);
  return fmt::format("property {} is not allowed{}", quoted(name),
                     meant ? fmt::format("; did you mean {}?", quoted(*meant)) : "");
}

std::string size_message(std::string_view relation, std::uint64_t bound, std::size_t is) {
  return fmt::format("must have {} {}, has {}", relation, counted(bound, "property", "properties"), is);
}

}  // namespace

bool Checker::check_object(const Node& node, const ObjectRules& rules, const At& at) {
  const std::size_t size = at.value.as_map().size();
  if (!spend(rules.required.size() + rules.dependencies.size())) return false;
  if (rules.min_properties && size < *rules.min_properties &&
      !fail(node, "minProperties", at, [&] { return size_message("at least", *rules.min_properties, size); })) {
    return false;
  }
  if (rules.max_properties && size > *rules.max_properties &&
      !fail(node, "maxProperties", at, [&] { return size_message("at most", *rules.max_properties, size); })) {
    return false;
  }
  for (const Value& name : rules.required) {
    if (!at.value.find(name.as_text()) &&
        !fail(node, "required", at, [&] { return fmt::format("property {} is missing", quoted(name.as_text())); })) {
      return false;
    }
  }
  return check_members(node, rules, at) && check_dependencies(node, rules, at);
}

bool Checker::check_members(const Node& node, const ObjectRules& rules, const At& at) {
  const std::span<const Member> members = at.value.as_map();
  if (!spend(members.size())) return false;
  auto property = rules.properties.begin();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string_view key = members[i].key();
    const At member{members[i].value, &at, i, &members[i].name};
    if (rules.names && !check(*rules.names, At{members[i].name, &at, i, &members[i].name})) return false;

    bool covered = false;
    auto before = [](const NamedNode& a, std::string_view wanted) {
      return canonical_key_less(a.name.as_text(), wanted);
    };
    property = std::lower_bound(property, rules.properties.end(), key, before);
    if (property != rules.properties.end() && property->name.as_text() == key) {
      covered = true;
      if (!check(property->node, member)) return false;
    }
    for (const PatternNode& candidate : rules.patterns) {
      if (!spend(1 + key.size() / 16)) return false;
      if (!candidate.pattern.matches(key)) continue;
      covered = true;
      if (!check(candidate.node, member)) return false;
    }
    if (covered || !rules.additional) continue;
    if (!nodes_[*rules.additional].never) {
      if (!check(*rules.additional, member)) return false;
    } else if (!fail(node, "additionalProperties", member, [&] { return not_allowed_message(rules, at.value, key); })) {
      return false;
    }
  }
  return true;
}

bool Checker::check_dependencies(const Node& node, const ObjectRules& rules, const At& at) {
  for (const Dependency& dependency : rules.dependencies) {
    if (!at.value.find(dependency.name.as_text())) continue;
    if (dependency.node && !check(*dependency.node, at)) return false;
    if (!spend(dependency.required.size())) return false;
    for (const Value& name : dependency.required) {
      if (!at.value.find(name.as_text()) && !fail(node, "dependencies", at, [&] {
            return fmt::format("property {} is missing, which {} requires", quoted(name.as_text()),
                               quoted(dependency.name.as_text()));
          })) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace stepwell::schema
