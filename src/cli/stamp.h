#pragma once

#include "stepwell/base/stamp.h"

namespace stepwell::cli {

// The time of the system clock and fresh entropy, for what a command evaluates itself.
Stamp fresh_stamp();

}  // namespace stepwell::cli
