#pragma once

#include "stepwell/base/few.h"
#include "stepwell/kernel/field.h"
#include "stepwell/value/path.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One value put at a place: below ctx, or below iter.
struct Write {
  Path path = {};
  Value value = {};

  friend bool operator==(const Write&, const Write&) = default;
  static constexpr void each_field(auto visit) {
    visit("path", &Write::path);
    visit("value", &Write::value);
  }
};

using Writes = Few<Write>;

}  // namespace stepwell
