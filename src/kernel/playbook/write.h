#pragma once

#include <tuple>

#include "stepwell/kernel/field.h"
#include "stepwell/value/path.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One value put at a place: below ctx, or below iter.
struct Write {
  Path path = {};
  Value value = {};

  friend bool operator==(const Write&, const Write&) = default;
  static constexpr auto kFields = std::tuple(Field("path", &Write::path), Field("value", &Write::value));
};

}  // namespace stepwell
