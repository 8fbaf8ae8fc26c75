#pragma once

#include <cstdint>

#include "case.h"

namespace stepwell::reference {

// A playbook and what happens to it, by a seed. Nearly all of them are valid.
Case make_case(std::uint64_t seed);

}  // namespace stepwell::reference
