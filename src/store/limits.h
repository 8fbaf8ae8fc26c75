#pragma once

#include <cstddef>

namespace stepwell::limits {

// The longest name of an instance in the journal, and the longest payload of a frame.
inline constexpr std::size_t kInstanceNameBytes = 65'535;
inline constexpr std::size_t kFrameBytes = 1u << 30;

}  // namespace stepwell::limits
