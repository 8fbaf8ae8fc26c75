#pragma once

#include <cstdint>

#include "stepwell/runtime/playbooks.h"
#include "stepwell/store/store.h"

namespace stepwell {

// Forgets all that is derived and derives it again, from the records: the row of every execution, and snapshots of
// those that a runtime will go on with. Nobody else may use the store meanwhile; a runtime is opened afterwards. If it
// fails halfway it can be begun again. Answers how many executions there are.
Stored<std::uint64_t> rebuild(Store& store, Playbooks& playbooks);

}  // namespace stepwell
