#pragma once

#include <cstddef>

namespace stepwell {

// Heap allocations of this program since it started. Linking this file replaces operator new.
std::size_t allocations();

}  // namespace stepwell
