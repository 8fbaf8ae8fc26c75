#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "stepwell/expr/budget.h"
#include "stepwell/expr/fault.h"
#include "stepwell/value/value.h"

namespace stepwell {

// What `attribute=` means in map, sort, groupby, sum and their like: "user.name" or "lines.0.price", parts of digits
// being positions; or one whole number. None is the item itself.
class AttributePath {
 public:
  AttributePath() = default;
  explicit AttributePath(const Value& attribute);

  // "age,name": several paths, for sort.
  static std::vector<AttributePath> list_of(const Value& attribute);

  // The member, or nothing if only its last part is missing. A part missing before that is an undefined fault, unless
  // `otherwise` is not none, which then stands in for every missing part.
  OrFault<std::optional<Value>> find(const Value& item, const Value& otherwise, Budget& budget) const;

  // The member; missing is an undefined fault.
  OrFault<Value> get(const Value& item, Budget& budget) const { return get(item, Value(), budget); }
  OrFault<Value> get(const Value& item, const Value& otherwise, Budget& budget) const;

 private:
  explicit AttributePath(std::string_view dotted);
  std::unexpected<Fault> missing(const Value& part, const Value& item) const;

  std::vector<Value> parts_;
};

}  // namespace stepwell
