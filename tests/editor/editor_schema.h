#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/value/schema.h"
#include "stepwell/value/value.h"

namespace stepwell {

// The files of this folder of the repository with this ending, at any depth, sorted.
std::vector<std::filesystem::path> files_of(std::string_view folder, std::string_view ending);
std::string read_file(const std::filesystem::path& file);

// docs/playbook.schema.json, as it is and compiled.
const Value& editor_schema();
const Schema& compiled_editor_schema();

// The part of it that a `$ref` or a pointer such as "#/definitions/loop" leads to.
const Value& editor_schema_at(std::string_view pointer);

// What the schema says about a document, each on a line; nothing if it accepts it.
std::string editor_complaints(const Value& document);

}  // namespace stepwell
