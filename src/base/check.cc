#include "stepwell/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace stepwell {

void check_failed(std::string_view condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: this is a bug in stepwell: CHECK(%.*s) failed\n", file, line,
               static_cast<int>(condition.size()), condition.data());
  std::abort();
}

}  // namespace stepwell
