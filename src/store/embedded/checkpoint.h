#pragma once

#include "stepwell/store/embedded/database.h"
#include "stepwell/store/embedded/journal.h"
#include "stepwell/store/store.h"

namespace stepwell {

// Moves the records of a shard's frames into history, together with snapshots and where the journal now begins, in one
// synced transaction; then releases the frames. What can be done before the transaction is, so that other writers wait
// for as short as can be. One at a time.
Stored<> write_checkpoint(Journal& journal, Connection& writer, const CheckpointRequest& request);

}  // namespace stepwell
