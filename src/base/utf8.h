#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
namespace stepwell::utf8 {

// The offset of the first byte that does not belong to valid UTF-8, or bytes.size() if all of it is valid.
std::size_t valid_prefix(std::string_view bytes);
inline bool is_valid(std::string_view bytes) { return valid_prefix(bytes) == bytes.size(); }

// A code point and the bytes it takes; size 0 says that the bytes do not start with a valid one.
struct Decoded {
  char32_t code_point = 0;
  std::size_t size = 0;
};
Decoded decode(std::string_view bytes);

// CHECKs that the code point is a Unicode scalar value.
void append(std::string& out, char32_t code_point);

// The following expect valid UTF-8.

// The number of code points.
std::size_t length(std::string_view text);
// At most the first `most` bytes, and no part of a code point.
std::string_view cut(std::string_view text, std::size_t most);
// The offset of the code point with this index; text.size() for index == length(text) and beyond.
std::size_t offset_of(std::string_view text, std::size_t index);

}  // namespace stepwell::utf8
