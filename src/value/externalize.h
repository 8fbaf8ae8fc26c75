#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/value/value.h"

// Large parts of values, kept elsewhere by their hash (blob_ref.h says what stands in their place).
namespace stepwell {

// A part of a value as it is stored: its canonical bytes under the name that references have for it.
struct Blob {
  std::string name;  // "sha256:..."
  std::string bytes;
};

struct Externalized {
  Value value;
  std::vector<Blob> blobs;  // to be stored before anyone is told the value
};

// The value with references in the place of its largest texts, lists and maps, so that what is left has at most
// `inline_max` in it (Value::weight) where that is possible. The structure around them stays: of a map or list that is
// too large, the largest items go, and only if it is large because of its many small items it goes as a whole. The same
// value gives the same parts. A reference to a blob counts about 100 bytes; there is no use in an `inline_max` below
// that.
Externalized externalize(const Value& value, std::size_t inline_max);

// The value with what they refer to in the place of all references, also those inside of what was loaded. `load`
// answers with the bytes of a blob by its name; its first error ends it, and so do bytes that are none of a value, or a
// result larger than `most`.
std::expected<Value, std::string> internalize(
    const Value& value, std::size_t most,
    const std::function<std::expected<std::string, std::string>(std::string_view name)>& load);

}  // namespace stepwell
