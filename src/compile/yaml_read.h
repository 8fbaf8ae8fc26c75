#pragma once

#include <optional>
#include <string_view>

#include "stepwell/compile/yaml.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell {

// Reads one YAML document; JSON is one, too. Scalars are those of YAML 1.2's core schema (core_schema.h). An empty text
// is null.
//
// What is wrong goes to the diagnostics. There is no tree if the text is not YAML or exceeds a limit
// (limits::kYaml...). After any other error there is one, in which faulty nodes are marked and members whose key was
// refused are missing, so that further checks can go on.
std::optional<Yaml> read_yaml(std::string_view text, Diagnostics& diagnostics);

}  // namespace stepwell
