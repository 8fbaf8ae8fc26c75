#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/model/definition.h"

// The words in a picture of a definition.
namespace stepwell {

// What a step does, its guard, its loop ...: a line each.
std::vector<std::string> words_of_step(const Definition& definition, StepIndex index);

// Why an arc is taken: "2. failed", "error.kind == 'exit_1'"; empty if it simply follows.
std::vector<std::string> words_of_arc(const Step& step, std::size_t arc);

// Text in at most `lines` lines of about `width` characters, broken at spaces where there are any; what does not fit is
// cut off with an ellipsis.
std::vector<std::string> fold(std::string_view text, std::size_t width, std::size_t lines);
// Whether fold() would.
bool is_cut(std::string_view text, std::size_t width, std::size_t lines);

// Line breaks, control characters and what no XML may hold become spaces, as in fold().
std::string one_line(std::string_view text);

}  // namespace stepwell
