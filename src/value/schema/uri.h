#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stepwell::schema {

// The five parts of a URI reference, RFC 3986 appendix B. Any text splits; that it obeys the grammar is what the
// formats "uri" and "uri-reference" check. Views into the text.
struct UriParts {
  std::optional<std::string_view> scheme, authority;
  std::string_view path;
  std::optional<std::string_view> query, fragment;
};
UriParts split_uri(std::string_view text);

// The reference without its fragment, taken relative to the base: RFC 3986 section 5.2. A base without a scheme is
// fine, since a schema need not have an address.
std::string resolve_uri(std::string_view base, std::string_view reference);

// What %xx stands for. None if a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace stepwell::schema
