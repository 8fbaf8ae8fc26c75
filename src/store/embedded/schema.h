#pragma once

#include <span>

#include "stepwell/store/embedded/database.h"

namespace stepwell {

// What brings a database from one version of its schema to the next: statements, separated by semicolons. A released
// one never changes.
using Migration = const char*;

// All there are: the first makes an empty database version 1.
std::span<const Migration> migrations();

// Brings a database up to date, each step in a synced transaction of its own. `invalid` if it is newer than that, or
// not one of ours.
Stored<> migrate(Connection& connection, std::span<const Migration> steps);

}  // namespace stepwell
