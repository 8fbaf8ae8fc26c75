#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace stepwell::schema {

// The same expression in the syntax of RE2: where the two dialects spell a thing differently (`\u00e9`, `\cA`, `\/`,
// `[^]`, `(?<name>`), or mean different things by one spelling (`.`, `\s`), it is rewritten. What ECMA 262 does not
// have (`\Z`, `(?i)`) and what RE2 cannot do is an error. Mistakes in the structure are left for RE2 to find.
std::expected<std::string, std::string> to_re2_syntax(std::string_view source);

}  // namespace stepwell::schema
