#include "stepwell/cli/store_choice.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace stepwell::cli {

std::expected<StoreChoice, std::string> choose_store(const Call& call) {
  StoreChoice choice{.directory = call.flags.store, .because = "--store"};
  if (choice.directory.empty()) {
    const char* said = std::getenv("STEPWELL_STORE");
    choice = {.directory = said == nullptr ? "" : said, .because = "STEPWELL_STORE"};
  }
  if (choice.directory.empty()) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') return std::unexpected("there is no home directory; say --store DIR");
    choice = {.directory = std::string(home) + "/.stepwell", .because = "the default"};
  }
  if (choice.directory == "memory") return StoreChoice{.directory = "", .because = choice.because};
  if (choice.directory.find("://") != std::string::npos) {
    return std::unexpected(
        fmt::format("'{}' is no store of this version: a store is a directory, or memory", choice.directory));
  }
  choice.directory = std::filesystem::absolute(choice.directory).lexically_normal().string();
  return choice;
}

}  // namespace stepwell::cli
