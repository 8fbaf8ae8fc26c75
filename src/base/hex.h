#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stepwell {

// Lower case, two digits per byte.
std::string to_hex(std::string_view bytes);

// The bytes of hexadecimal digits of either case, or nothing if the text is anything else.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace stepwell
