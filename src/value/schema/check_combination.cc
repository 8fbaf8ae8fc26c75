#include <fmt/format.h>

#include "stepwell/value/schema/checker.h"
#include "stepwell/value/schema/words.h"

namespace stepwell::schema {

bool Checker::check_combination(const Node& node, const Combination& rules, const At& at) {
  for (const NodeId part : rules.all_of) {
    if (!check(part, at)) return false;
  }
  if (!rules.any_of.empty() && !check_any_of(node, rules, at)) return false;
  if (!rules.one_of.empty() && !check_one_of(node, rules, at)) return false;
  if (rules.none_of && accepts(*rules.none_of, at) && !fail(node, "not", at, [&] {
        return fmt::format("must not match {}, but is {}", quoted(nodes_[*rules.none_of].place), shown(at.value));
      })) {
    return false;
  }
  if (rules.condition && (rules.consequence || rules.alternative)) {
    const std::optional<NodeId>& branch = accepts(*rules.condition, at) ? rules.consequence : rules.alternative;
    if (branch && !check(*branch, at)) return false;
  }
  return !gave_up_;
}

bool Checker::check_any_of(const Node& node, const Combination& rules, const At& at) {
  for (const NodeId alternative : rules.any_of) {
    if (accepts(alternative, at)) return true;
  }
  return fail(node, "anyOf", at, [&] {
    return fmt::format("matches none of {}{}", counted(rules.any_of.size(), "alternative", "alternatives"),
                       closest(rules.any_of, at));
  });
}

bool Checker::check_one_of(const Node& node, const Combination& rules, const At& at) {
  std::optional<std::size_t> first, second;
  for (std::size_t i = 0; i < rules.one_of.size() && !second; ++i) {
    if (accepts(rules.one_of[i], at)) (first ? second : first) = i;
  }
  if (first && !second) return true;
  return fail(node, "oneOf", at, [&] {
    const std::string alternatives = counted(rules.one_of.size(), "alternative", "alternatives");
    if (!first) return fmt::format("matches none of {}{}", alternatives, closest(rules.one_of, at));
    return fmt::format("must match exactly one of {}, matches numbers {} and {}", alternatives, *first + 1,
                       *second + 1);
  });
}

std::string Checker::closest(std::span<const NodeId> alternatives, const At& at) {
  // One level of explanation is what a reader can use, and what keeps nested alternatives from multiplying.
  if (explaining_) return "";
  std::optional<Found> best;
  std::size_t number = 0;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    std::optional<Found> found = first_violation(alternatives[i], at);
    if (!found) continue;
    // Deeper in the instance is closer; a value of the wrong type is further away than one that breaks another rule.
    auto nearness = [](const Found& it) { return std::pair(it.path.size(), it.violation.rule != "type"); };
    if (best && nearness(*found) <= nearness(*best)) continue;
    best = std::move(found);
    number = i + 1;
  }
  if (!best) return "";
  const std::string& where = best->violation.instance;
  const std::string place = where == pointer_of(at) ? "" : where + " ";
  return fmt::format("; number {} comes closest: {}{}", number, place, best->violation.message);
}

std::optional<Checker::Found> Checker::first_violation(NodeId id, const At& at) {
  std::vector<Found> others = std::exchange(found_, {});
  explaining_ = true;
  check(id, at);
  explaining_ = false;
  std::swap(found_, others);
  if (others.empty()) return std::nullopt;
  return std::move(others.front());
}

}  // namespace stepwell::schema
