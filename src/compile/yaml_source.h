#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// What the parser does not tell about a YAML text, found by looking at the text.
namespace stepwell {

// Whether a null is written at this offset, rather than left out before it.
bool null_is_written(std::string_view text, std::size_t at);

// Where the ':' or '-' stands whose value was left out, if the next thing after it stands at `at`.
std::size_t indicator_before(std::string_view text, std::size_t at);

// If the scalar at this offset is `value` as it is, in one line: how many characters (a quote) before it; else -1.
std::int8_t verbatim_after(std::string_view text, std::size_t at, std::string_view value);

// Whether the scalar at this offset, if it begins with a quote, also ends with it.
bool quote_is_closed(std::string_view text, std::size_t at);

// As much of a text as fits a message.
std::string_view cut(std::string_view text);

}  // namespace stepwell
