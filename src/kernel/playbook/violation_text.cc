#include "stepwell/kernel/playbook/violation_text.h"

#include <fmt/format.h>

namespace stepwell {

std::string violation_text(const Schema& schema, const Value& value) {
  const std::vector<Violation> violations = schema.validate(value, {.violations = 1});
  CHECK(!violations.empty());
  const Violation& first = violations.front();
  return first.instance.empty() ? first.message : fmt::format("{} {}", first.instance, first.message);
}

}  // namespace stepwell
