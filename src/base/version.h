#pragma once

#include <string_view>

namespace stepwell {

// This build's version, as CMakeLists.txt states it: "0.1.0".
std::string_view version();

}  // namespace stepwell
