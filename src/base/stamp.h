#pragma once

#include "stepwell/base/instant.h"
#include "stepwell/base/rng.h"

namespace stepwell {

// What a command is told about the world when it is admitted, once: everything in its decision that looks like a clock
// or like chance derives from it, so that deciding again decides the same.
struct Stamp {
  Instant time;  // logical: never runs backwards within a shard
  Entropy entropy = {};
};

}  // namespace stepwell
