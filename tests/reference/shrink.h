#pragma once

#include "case.h"

namespace stepwell::reference {

// A smaller case that still makes the two disagree: steps, arcs, fields and choices are left out as long as that holds.
Case shrink(Case failing);

}  // namespace stepwell::reference
