#pragma once

#include <cstddef>

namespace stepwell {

// Heap allocations of this thread since it started, and the bytes that the process holds now, with what the allocator
// rounds up and keeps beside each piece. Linking this file replaces operator new.
std::size_t allocations();
std::size_t held_bytes();

}  // namespace stepwell
