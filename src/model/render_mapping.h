#pragma once

#include <expected>
#include <utility>
#include <vector>

#include "stepwell/model/mapping.h"

namespace stepwell {

// The value of a mapping, with what `evaluate` answers in the place of each expression; its first error ends it.
template <typename Evaluate>
auto render_mapping(const Mapping& mapping, Evaluate& evaluate)
    -> decltype(evaluate(std::declval<const Expression&>())) {
  if (const Value* constant = mapping.constant()) return *constant;
  if (const auto* expression = std::get_if<Expression>(&mapping.shape)) return evaluate(*expression);
  if (const auto* list = std::get_if<Mapping::List>(&mapping.shape)) {
    std::vector<Value> items;
    items.reserve(list->size());
    for (const Mapping& item : *list) {
      auto value = render_mapping(item, evaluate);
      if (!value) return value;
      items.push_back(std::move(*value));
    }
    return Value::list(std::move(items));
  }
  const auto& map = std::get<Mapping::Map>(mapping.shape);
  std::vector<Member> members;
  members.reserve(map.size());
  for (const MappingMember& member : map) {
    auto value = render_mapping(member.value, evaluate);
    if (!value) return value;
    members.push_back({Value(member.key), std::move(*value)});
  }
  return Value::map(std::move(members));
}

}  // namespace stepwell
