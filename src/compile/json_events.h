#pragma once

#include <string_view>

#include "stepwell/compile/yaml_builder.h"

namespace stepwell {

// Whether a text is a JSON document that is read as such. YAML promises to contain JSON, but as yaml-cpp reads it that
// is not so for keys of more than 1024 characters, halves of surrogate pairs and a ':' on the next line.
bool is_json(std::string_view text);

// Hands the parts of a JSON document to the builder, as the YAML parser would. False if the builder said stop.
[[nodiscard]] bool build_from_json(std::string_view json, YamlBuilder& builder);

}  // namespace stepwell
