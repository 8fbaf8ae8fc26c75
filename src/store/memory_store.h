#pragma once

#include <memory>

#include "stepwell/store/store.h"

namespace stepwell {

// The reference of what a store is, and the store of tests and simulations: it keeps everything in memory until it is
// destroyed, so that a crash is to throw away everything but the store.
std::unique_ptr<Store> open_memory_store();
// One that holds the same. CHECKs that the other is a store in memory, too.
std::unique_ptr<Store> copy_memory_store(const Store& store);

}  // namespace stepwell
