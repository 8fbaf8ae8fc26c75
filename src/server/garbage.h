#pragma once

#include "stepwell/base/instant.h"
#include "stepwell/store/store.h"

namespace stepwell {

// Deletes the blobs that nothing refers to: no record, no snapshot, no artifact, no blob that something refers to. What
// was put within the last hour stays, because the record that will refer to it may not be durable yet. Others may go on
// meanwhile.
Stored<Store::Swept> sweep_garbage(Store& store, Instant now);

}  // namespace stepwell
