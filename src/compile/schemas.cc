#include "stepwell/compile/schemas.h"

#include <fmt/format.h>

#include "stepwell/value/json_pointer.h"
#include "stepwell/value/schema.h"

namespace stepwell {
namespace {

// Where the part of a schema stands that a JSON pointer leads to, as far as it can be followed.
Mark mark_of(const Yaml& node, std::string_view pointer) {
  const auto tokens = pointer_tokens(pointer);
  const Yaml* at = &node;
  if (!tokens) return at->mark;
  for (const std::string& token : *tokens) {
    const Yaml* next = at->find(token);
    if (next == nullptr) break;
    at = next;
  }
  return at->mark;
}

}  // namespace

std::optional<Value> schema_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics) {
  Value schema = node.to_value();
  const auto compiled = Schema::compile(schema);
  if (compiled) return schema;
  for (const SchemaDiagnostic& problem : compiled.error()) {
    diagnostics.error(mark_of(node, problem.pointer), "schema", fmt::format("{}: {}", what, problem.message),
                      problem.hint);
  }
  return std::nullopt;
}

}  // namespace stepwell
