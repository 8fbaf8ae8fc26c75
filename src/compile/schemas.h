#pragma once

#include <optional>
#include <string_view>

#include "stepwell/compile/yaml.h"
#include "stepwell/model/diagnostic.h"
#include "stepwell/value/value.h"

namespace stepwell {

// A JSON Schema of the source, or nothing and what is wrong with it, each where it stands.
std::optional<Value> schema_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace stepwell
