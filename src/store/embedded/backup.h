#pragma once

#include <string>

#include "stepwell/store/embedded/journal.h"
#include "stepwell/store/store_error.h"

namespace stepwell {

// Copies a store, as it is at one moment, to a directory that is not there yet. Appends go on; the caller sees to it
// that no checkpoint begins meanwhile.
Stored<> write_backup(Journal& journal, const std::string& database, const std::string& directory);

}  // namespace stepwell
