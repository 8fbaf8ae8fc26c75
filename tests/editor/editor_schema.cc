#include "editor_schema.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/value/json_pointer.h"
#include "stepwell/value/json_read.h"

namespace stepwell {

std::vector<std::filesystem::path> files_of(std::string_view folder, std::string_view ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(STEPWELL_TREE) / folder)) {
    if (entry.path().extension() == ending) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  CHECK(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

const Value& editor_schema() {
  static const Value schema = [] {
    auto read = parse_json(read_file(std::filesystem::path(STEPWELL_TREE) / "docs/playbook.schema.json"));
    CHECK(read.has_value());
    return *read;
  }();
  return schema;
}

const Schema& compiled_editor_schema() {
  static const Schema schema = [] {
    auto compiled = Schema::compile(editor_schema());
    CHECK(compiled.has_value());
    return *compiled;
  }();
  return schema;
}

const Value& editor_schema_at(std::string_view pointer) {
  CHECK(pointer.starts_with('#'));
  const auto tokens = pointer_tokens(pointer.substr(1));
  CHECK(tokens.has_value());
  const Value* at = &editor_schema();
  for (const std::string& token : *tokens) {
    at = at->find(token);
    CHECK(at != nullptr);
  }
  return *at;
}

std::string editor_complaints(const Value& document) {
  std::string out;
  for (const Violation& violation : compiled_editor_schema().validate(document)) {
    out += fmt::format("  {}: {} ({})\n", violation.instance, violation.message, violation.schema);
  }
  return out;
}

}  // namespace stepwell
