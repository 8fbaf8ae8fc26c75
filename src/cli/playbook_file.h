#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/compile/load.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell::cli {

// A playbook read from a file, or why there is none. A file that cannot be read is a diagnostic too.
struct PlaybookFile {
  std::optional<LoadedPlaybook> playbook;
  std::vector<Diagnostic> diagnostics;
};

// "-" is `in`.
PlaybookFile read_playbook_file(const std::string& path, std::istream& in);

}  // namespace stepwell::cli
