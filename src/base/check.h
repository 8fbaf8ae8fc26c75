#pragma once

#include <string_view>

namespace stepwell {

// Reports a broken promise of our own code on stderr and aborts. Never used for what a user or the world did wrong.
[[noreturn]] void check_failed(std::string_view condition, const char* file, int line);

}  // namespace stepwell

// Stays on in release: a wrong decision costs more than a stopped process.
#define CHECK(condition)                                        \
  do {                                                          \
    if (!(condition)) [[unlikely]]                              \
      ::stepwell::check_failed(#condition, __FILE__, __LINE__); \
  } while (false)
