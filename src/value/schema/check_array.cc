#include <fmt/format.h>

#include "stepwell/value/schema/checker.h"
#include "stepwell/value/schema/compare.h"
#include "stepwell/value/schema/words.h"

namespace stepwell::schema {

bool Checker::check_array(const Node& node, const ArrayRules& rules, const At& at) {
  const std::span<const Value> items = at.value.as_list();
  if (rules.min_items && items.size() < *rules.min_items && !fail(node, "minItems", at, [&] {
        return fmt::format("must have at least {}, has {}", counted(*rules.min_items, "item", "items"), items.size());
      })) {
    return false;
  }
  if (rules.max_items && items.size() > *rules.max_items && !fail(node, "maxItems", at, [&] {
        return fmt::format("must have at most {}, has {}", counted(*rules.max_items, "item", "items"), items.size());
      })) {
    return false;
  }
  if (rules.unique) {
    const auto twice = find_duplicate(items, fuel_);
    if (!spend(0)) return false;
    if (twice && !fail(node, "uniqueItems", at, [&] {
          return fmt::format("must not have equal items, but items {} and {} are both {}", twice->first, twice->second,
                             shown(items[twice->first]));
        })) {
      return false;
    }
  }
  return check_items(node, rules, at) && (!rules.contains || check_contains(node, rules, at));
}

bool Checker::check_items(const Node& node, const ArrayRules& rules, const At& at) {
  const std::span<const Value> items = at.value.as_list();
  const std::size_t covered = rules.rest ? items.size() : std::min(items.size(), rules.tuple.size());
  const bool none_may_follow = rules.rest && !rules.rest_is_items && nodes_[*rules.rest].never;
  for (std::size_t i = 0; i < covered; ++i) {
    const At item{items[i], &at, i};
    if (i < rules.tuple.size()) {
      if (!check(rules.tuple[i], item)) return false;
    } else if (!none_may_follow) {
      if (!check(*rules.rest, item)) return false;
    } else if (!fail(node, "additionalItems", item, [&] {
                 return fmt::format("is one item too many, only {} allowed", counted(rules.tuple.size(), "is", "are"));
               })) {
      return false;
    }
  }
  return true;
}

bool Checker::check_contains(const Node& node, const ArrayRules& rules, const At& at) {
  const std::span<const Value> items = at.value.as_list();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (accepts(*rules.contains, At{items[i], &at, i})) return true;
  }
  return fail(node, "contains", at, [&] {
    return fmt::format("must have an item that matches {}, but none of its {} does",
                       quoted(nodes_[*rules.contains].place), counted(items.size(), "item", "items"));
  });
}

}  // namespace stepwell::schema
