#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stepwell {

// Base 64 of RFC 4648 section 4: the standard alphabet, padded.
std::string to_base64(std::string_view bytes);

// Strict: nothing for a wrong length, a foreign character (white space too), missing padding, or padding bits that are
// not zero. So a text that is accepted is the one to_base64 writes. (OpenSSL's decoder accepts all of these.)
std::optional<std::string> from_base64(std::string_view text);

}  // namespace stepwell
