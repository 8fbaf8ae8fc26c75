#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// JSON pointers, RFC 6901: "/lines/0/a~1b" is the member "a/b" of the first item of "lines"; "" is the whole value.
namespace stepwell {

// Appends "/" and the token, with ~ and / in it written as ~0 and ~1.
void append_pointer_token(std::string& pointer, std::string_view token);
void append_pointer_token(std::string& pointer, std::size_t index);

// The tokens of a pointer, unescaped. None if the text is no pointer.
std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer);

// A token as the index of a list's item: digits without leading zeros.
std::optional<std::size_t> pointer_index(std::string_view token);

}  // namespace stepwell
