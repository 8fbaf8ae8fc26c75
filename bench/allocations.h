#pragma once

#include <cstddef>

namespace stepwell {

// Heap allocations of this thread since it started, and the bytes that it holds now (less what it has freed for
// others), with what the allocator rounds up. Linking this file replaces operator new.
std::size_t allocations();
std::size_t held_bytes();

}  // namespace stepwell
