#pragma once

#include <string>
#include <vector>

#include "stepwell/store/embedded/journal.h"
#include "stepwell/store/store.h"

namespace stepwell {

// Reads everything that an embedded store holds, and says what is not as it was written. Others may go on meanwhile.
Stored<std::vector<StoreProblem>> verify_store(Store& store, Journal& journal, const std::string& database);

}  // namespace stepwell
