#pragma once

#include <string>
#include <variant>
#include <vector>

#include "stepwell/model/expression.h"
#include "stepwell/value/value.h"

namespace stepwell {

struct MappingMember;

// A JSON shape in which any part may be computed. Parts without expressions are one constant.
struct Mapping {
  using List = std::vector<Mapping>;
  using Map = std::vector<MappingMember>;

  std::variant<Value, Expression, List, Map> shape;

  // The value, if nothing in it is computed.
  const Value* constant() const { return std::get_if<Value>(&shape); }
};

struct MappingMember {
  std::string key;
  Mapping value;
};

}  // namespace stepwell
