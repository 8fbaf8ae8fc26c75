#include "stepwell/worker/attempt_error.h"

#include "stepwell/tools/tool_error.h"

namespace stepwell {
namespace {

std::string_view text_or(const Value& map, std::string_view key, std::string_view otherwise) {
  const Value* found = map.find(key);
  return found != nullptr && found->is_text() ? found->as_text() : otherwise;
}

}  // namespace

Value attempt_error(std::string_view error_class, std::string_view kind, std::string_view message, bool retryable) {
  return Value::map({{"class", Value(error_class)},
                     {"kind", Value(kind)},
                     {"message", Value(message)},
                     {"retryable", retryable},
                     {"details", Value()}});
}

Value expression_error_value(const ExprError& error) {
  if (error.code == FaultCode::secret) {
    return attempt_error(error_class::kAuthorization, "secret_refused", error.summary(), false);
  }
  return attempt_error(error_class::kExpression, fault_word(error.code), error.summary(), false);
}

Value reported_error(const Value& error) {
  const Value* retryable = error.find("retryable");
  const Value* given = error.find("details");
  Value details = given == nullptr ? Value() : *given;
  for (const std::string_view key : {"code", "retry_after"}) {
    const Value* more = error.find(key);
    if (more == nullptr || more->is_null()) continue;
    if (details.is_null()) details = Value::map({});
    if (details.is_map()) details = details.with(key, *more);
  }
  return Value::map({{"class", Value(text_or(error, "class", error_class::kTransport))},
                     {"kind", Value(text_or(error, "kind", "tool"))},
                     {"message", Value(text_or(error, "message", "the tool failed and does not say why"))},
                     {"retryable", retryable != nullptr && retryable->is_bool() && retryable->as_bool()},
                     {"details", std::move(details)}});
}

}  // namespace stepwell
