#pragma once

#include <memory>
#include <string>

#include "stepwell/store/embedded/journal.h"
#include "stepwell/store/store.h"

namespace stepwell {

struct EmbeddedOptions {
  bool create = true;  // make the store if there is none
  JournalOptions journal = {};
};

// The store of one process: a directory with a journal of segments and an SQLite database (docs/formats/journal.md).
// `held` if another process has it, `invalid` for what is no store or one of a later version, `corrupt` if something
// that is still needed is not what was written.
Stored<std::unique_ptr<Store>> open_embedded_store(const std::string& directory, const EmbeddedOptions& options = {});

}  // namespace stepwell
