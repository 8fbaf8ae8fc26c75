#pragma once

#include <cstddef>
#include <string>

namespace stepwell {

// Why a short text (a path, an instant, a duration) could not be read.
struct TextError {
  std::size_t at = 0;   // byte offset in the text
  std::string message;  // complete: the text, the position, what is wrong and what to write instead
};

}  // namespace stepwell
