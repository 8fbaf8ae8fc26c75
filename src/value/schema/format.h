#pragma once

#include <span>
#include <string_view>

namespace stepwell::schema {

// One value of the keyword `format` that is checked.
struct Format {
  std::string_view name;
  std::string_view description;  // follows "must be": "a date such as 2024-02-29"
  bool (*accepts)(std::string_view text);
};

// nullptr for a format that is not known, which is then not checked.
const Format* find_format(std::string_view name);

std::span<const Format> all_formats();

}  // namespace stepwell::schema
