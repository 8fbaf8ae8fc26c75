#pragma once

#include <string_view>

#include "stepwell/value/value.h"

// A reference stands in the place of a value that is kept elsewhere because it is large:
// {"$ref": "sha256:...", "size": bytes, "type": "text" | "list" | "map"}. It can be passed on like any value, but it is
// not the value: who would look into it has to load the blob first.
namespace stepwell {

// Known without looking at more than the members of one small map.
bool is_blob_ref(const Value& value);
// Whether there is one anywhere in a value.
bool holds_blob_ref(const Value& value);

// What names the blob: "sha256:...". CHECKs that the value is a reference.
std::string_view blob_of(const Value& reference);
std::string_view blob_of(Value&& reference) = delete;

}  // namespace stepwell
