#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/base/limits.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One thing wrong with a schema itself.
struct SchemaDiagnostic {
  std::string pointer;  // JSON pointer into the schema; "" is the schema itself
  std::string message;  // what is wrong there
  std::string hint;     // what to do about it; empty if the message says it all

  friend bool operator==(const SchemaDiagnostic&, const SchemaDiagnostic&) = default;
};

// One way in which an instance breaks a schema.
struct Violation {
  std::string instance;  // JSON pointer to the value that does not fit; "" is the instance itself
  std::string schema;    // JSON pointer to the broken rule, after a URI if the rule is the meta schema's
  std::string rule;      // its keyword: "minimum", "required", ...; "false" for a schema that allows nothing;
                         // "limit" if the check was given up, see ValidationBounds
  std::string message;   // "must be at least 3, is 2"

  friend bool operator==(const Violation&, const Violation&) = default;
};

// What one validation may cost. A bound that is met ends the validation with a violation of the rule "limit", which
// comes last.
struct ValidationBounds {
  std::size_t violations = limits::kSchemaViolations;  // at least 1
  std::uint64_t steps = limits::kSchemaSteps;
};

// A JSON Schema of draft 7, compiled once. docs/reference/json-schema.md says what is supported.
//
// Immutable and cheap to copy; one schema may be used by many threads at once. It shares what it needs of the value it
// was compiled from. Time is at most proportional to the size of the schema times the size of the instance (times the
// logarithm of the longest list for uniqueItems), whatever the two look like, and never above the bounds.
class Schema {
 public:
  // All problems of a bad schema, in the order of its text's pointers as they were met; never an empty list.
  static std::expected<Schema, std::vector<SchemaDiagnostic>> compile(const Value& schema);

  // Every violation, in the order of the instance: a container before what it holds, members in canonical key order.
  // The same rule is reported once per place, however many references lead to it.
  std::vector<Violation> validate(const Value& instance, const ValidationBounds& bounds = {}) const;

  // Whether validate() would find nothing; stops at the first violation.
  bool accepts(const Value& instance, const ValidationBounds& bounds = {}) const;

  struct Program;

 private:
  explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;
};

}  // namespace stepwell
