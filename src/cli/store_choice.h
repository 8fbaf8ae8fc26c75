#pragma once

#include <expected>
#include <string>

#include "stepwell/cli/command.h"

namespace stepwell::cli {

// Which store a command works on, and who said so.
struct StoreChoice {
  std::string directory;  // absolute; empty: a store in memory, which ends with the command
  std::string because;    // "--store", "STEPWELL_STORE", "the default"
};

// --store, else the environment's STEPWELL_STORE, else ~/.stepwell. Says why if that is no store of this version.
std::expected<StoreChoice, std::string> choose_store(const Call& call);

}  // namespace stepwell::cli
