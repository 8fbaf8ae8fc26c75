#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stepwell/value/schema/builder.h"
#include "stepwell/value/schema/program.h"

namespace stepwell::schema {

// One keyword with its value, on its way into a node.
struct Keyword {
  Builder& builder;
  const Place& place;
  std::string_view name;
  const Value& value;
  const Value& schema;  // that the keyword belongs to

  // The group of rules, made if this is the first keyword of it. Ask only after making nodes for subschemas.
  template <typename Rules>
  Rules& rules(std::optional<Rules>& group) const {
    return group ? *group : group.emplace();
  }

  // Calls visit(place, item) or visit(place, member) for each of them until the builder gives up: every place is a
  // text, and long ones must not be made in vain.
  template <typename Visit>
  void each_item(Visit visit) const {
    const std::span<const Value> items = value.as_list();
    for (std::size_t i = 0; i < items.size() && !builder.gave_up(); ++i) visit(place / i, items[i]);
  }
  template <typename Visit>
  void each_member(Visit visit) const {
    for (const Member& member : value.as_map()) {
      if (builder.gave_up()) return;
      visit(place / member.key(), member);
    }
  }

  void complain_type(std::string_view expected, std::string hint = "") const;
};

}  // namespace stepwell::schema
