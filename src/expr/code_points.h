#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text as code points, which is how the language counts, cuts and pads it.
namespace stepwell {

// The code point at byte `at`, which is moved behind it. A byte that starts none is U+FFFD and one byte long, so no
// text can stop a walk.
char32_t next_code_point(std::string_view text, std::size_t& at);

std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view code_points);

}  // namespace stepwell
