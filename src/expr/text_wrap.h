#pragma once

#include <string>
#include <string_view>

#include "stepwell/expr/budget.h"

namespace stepwell {

struct WrapOptions {
  std::size_t width = 79;        // at least 1
  bool break_long_words = true;  // words longer than a line are cut; else they get a line of their own
  bool split_at_hyphens = true;  // a line may end after a hyphen inside a word
  bool prefer_hyphens = true;    // a long word is cut after a hyphen if there is one
  std::string_view newline = "\n";
};

// Breaks one line into lines of at most `width` characters, as Python's textwrap does: white space where a line is
// broken goes away, all other stays.
OrFault<std::string> wrap_line(std::string_view line, const WrapOptions& options, Budget& budget);

}  // namespace stepwell
