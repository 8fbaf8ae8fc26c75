#pragma once

#include "stepwell/kernel/field.h"
#include "stepwell/value/value.h"

namespace stepwell {

// What a pipeline wants written and sent when its run ends.
struct Patches {
  Value ctx = {};  // maps of path -> value, or null
  Value vars = {};
  Value iter = {};
  Value emitted = {};  // domain events: a list of {event, value?, key?}, or null

  friend bool operator==(const Patches&, const Patches&) = default;
  static constexpr void each_field(auto visit) {
    visit("ctx", &Patches::ctx);
    visit("vars", &Patches::vars);
    visit("iter", &Patches::iter);
    visit("emitted", &Patches::emitted);
  }
};

}  // namespace stepwell
