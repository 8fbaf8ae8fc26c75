#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stepwell/base/sha256.h"
#include "stepwell/model/diagnostic.h"
#include "stepwell/value/value.h"

namespace stepwell {

// A playbook as the catalog takes it.
struct LoadedPlaybook {
  std::string name;
  std::optional<std::int64_t> version;  // as authored; not part of the definition, so not of the hash
  Value definition;                     // the canonical definition, docs/formats/definition.md
  Sha256Digest hash;                    // of its canonical bytes
};

// Reads and checks one playbook. Everything found goes to `diagnostics`; with an error among it there is no playbook.
// `default_name` is for a bare file: the file's name without folder and ending.
std::optional<LoadedPlaybook> load_playbook(std::string_view text, std::string_view default_name,
                                            Diagnostics& diagnostics);

}  // namespace stepwell
