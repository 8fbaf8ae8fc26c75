#pragma once

#include <optional>
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

  void complain_type(std::string_view expected, std::string hint = "") const;
};

}  // namespace stepwell::schema
