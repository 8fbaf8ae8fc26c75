#pragma once

#include <string>

#include "stepwell/base/instant.h"
#include "stepwell/base/rng.h"

namespace stepwell {

// An id for a new execution that nobody else has: a UUID of version 7, which begins with the time in milliseconds.
// Those that start together lie together in every index, so that a store writes few pages for many of them.
std::string fresh_execution_id(Instant now, const Entropy& entropy);

}  // namespace stepwell
