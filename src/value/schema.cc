#include "stepwell/value/schema.h"

#include "stepwell/value/schema/builder.h"
#include "stepwell/value/schema/checker.h"
#include "stepwell/value/schema/program.h"

namespace stepwell {

std::expected<Schema, std::vector<SchemaDiagnostic>> Schema::compile(const Value& schema) {
  schema::Builder builder(schema);
  auto program = std::make_shared<const Program>(builder.build());
  if (!builder.diagnostics().empty()) return std::unexpected(std::move(builder.diagnostics()));
  return Schema(std::move(program));
}

std::vector<Violation> Schema::validate(const Value& instance, const ValidationBounds& bounds) const {
  // Most instances are valid, and that is found out faster without writing anything down.
  if (accepts(instance, bounds)) return {};
  return schema::Checker(*program_, bounds).report_root(program_->root, instance);
}

bool Schema::accepts(const Value& instance, const ValidationBounds& bounds) const {
  return schema::Checker(*program_, bounds).accepts_root(program_->root, instance);
}

}  // namespace stepwell
