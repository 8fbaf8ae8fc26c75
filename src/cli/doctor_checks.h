#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stepwell/cli/command.h"

namespace stepwell::cli {

// One thing that was looked at.
struct Finding {
  enum class Verdict : std::uint8_t { good, odd, bad };
  Verdict verdict = Verdict::good;
  std::string check = {};
  std::string found = {};
  std::string advice = {};  // what to do, if there is something
};

// The store and its holder, the disk, the clock, the limits of the process, the programs that tools call.
std::vector<Finding> examine(Call& call);

}  // namespace stepwell::cli
