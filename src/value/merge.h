#pragma once

#include "stepwell/value/value.h"

namespace stepwell {

// Both take time in proportion to the maps on which the two values meet; everything else is shared, not copied.

// `over` laid over `base`: maps merge member by member at every depth, anything else of `over` replaces what is there.
// Lists replace as a whole, and null is a value like any other.
Value deep_merge(const Value& base, const Value& over);

// RFC 7386, JSON Merge Patch: like deep_merge, but a null in the patch removes the member, or does nothing if there is
// none.
Value merge_patch(const Value& target, const Value& patch);

}  // namespace stepwell
