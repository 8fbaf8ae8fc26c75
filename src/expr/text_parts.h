#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/budget.h"

// Cutting and replacing in text by Python's rules, for filters and methods alike. The parts are views into the text.
namespace stepwell {

// string_view::find, but linear whatever the texts are: "aaa...b" in "aaa...a" must not take forever.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from = 0);

// Without the white space at both ends, or without any of `chars` if there are some.
std::string_view stripped(std::string_view text);
std::string_view stripped(std::string_view text, std::string_view chars);

// str.splitlines: at every line break of Unicode, \r\n being one. The last line break starts no empty line.
std::vector<std::string_view> split_lines(std::string_view text);

// str.split: at white space, or at the separator, which must not be empty. Cuts at most `cuts` times; negative is no
// bound.
OrFault<std::vector<std::string_view>> split_words(std::string_view text, std::int64_t cuts, Budget& budget);
OrFault<std::vector<std::string_view>> split_at(std::string_view text, std::string_view separator, std::int64_t cuts,
                                                Budget& budget);

// str.replace: at most `count` times; negative is no bound. An empty `old` stands before every character and at the
// end.
OrFault<std::string> replaced(std::string_view text, std::string_view old, std::string_view with, std::int64_t count,
                              Budget& budget);

}  // namespace stepwell
