#pragma once

#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// Bytes of the outside as text: what is no UTF-8 in them becomes U+FFFD.
std::string text_of_bytes(std::string_view bytes);

// Bytes of the outside, kept as they are: text if they are UTF-8, else {"base64": "..."}.
Value value_of_bytes(std::string_view bytes);

// The last line with something in it, at most `most` bytes of it.
std::string last_line(std::string_view text, std::size_t most = 300);

}  // namespace stepwell
