#include "stepwell/tools/tool_error.h"

#include <fmt/format.h>

namespace stepwell {

Value ToolError::to_value() const {
  return Value::map({{"class", Value(error_class)},
                     {"kind", Value(kind)},
                     {"code", code},
                     {"message", Value(message)},
                     {"retryable", retryable},
                     {"details", details}});
}

TaskOutcome failed(const ToolError& error) { return {.ok = false, .error = error.to_value()}; }

TaskOutcome wrong_field(std::string message) {
  return failed({.error_class = error_class::kExpression, .kind = "type", .message = std::move(message)});
}

TaskOutcome timed_out(std::string message) {
  return failed(
      {.error_class = error_class::kTimeout, .kind = "timeout", .message = std::move(message), .retryable = true});
}

TaskOutcome too_large(std::string_view what, std::size_t most) {
  return failed({.kind = "size", .message = fmt::format("{} is larger than {} bytes", what, most)});
}

TaskOutcome no_secret(std::string_view name) {
  return failed({.error_class = error_class::kAuthorization,
                 .kind = "secret_refused",
                 .message = fmt::format("there is no secret '{}'", name)});
}

TaskOutcome stopped() { return failed({.kind = "cancelled", .message = "nobody waits for this any more"}); }

}  // namespace stepwell
