#pragma once

#include <string>
#include <string_view>

// Letter case as Python's str methods have it: full Unicode mappings (so one letter may become three), independent of
// any locale, with the final sigma.
namespace stepwell {

std::string upper_case(std::string_view text);
std::string lower_case(std::string_view text);

// The first character in title case, the rest in lower case.
std::string capitalized(std::string_view text);

// True if there is a cased character and all of them are of this case.
bool is_all_lower(std::string_view text);
bool is_all_upper(std::string_view text);

}  // namespace stepwell
