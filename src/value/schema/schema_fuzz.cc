#include "stepwell/base/check.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/schema.h"

// Any two JSON documents, the schema before the first newline and the instance behind it: a schema is refused with
// reasons or works, the two ways to ask agree, and neither takes more than its bounds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stepwell;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t newline = input.find('\n');
  const auto schema = parse_json(input.substr(0, newline));
  if (!schema) return 0;
  const auto compiled = Schema::compile(*schema);
  if (!compiled) {
    CHECK(!compiled.error().empty());
    for (const SchemaDiagnostic& diagnostic : compiled.error()) CHECK(!diagnostic.message.empty());
    return 0;
  }
  const auto instance = newline == std::string_view::npos ? schema : parse_json(input.substr(newline + 1));
  if (!instance) return 0;
  const ValidationBounds bounds{.violations = 20, .steps = 100'000};
  const auto violations = compiled->validate(*instance, bounds);
  CHECK(violations.size() <= bounds.violations + 1);
  CHECK(violations.empty() == compiled->accepts(*instance, bounds));
  for (const Violation& violation : violations) CHECK(!violation.rule.empty() && !violation.message.empty());
  return 0;
}
