#include "stepwell/kernel/playbook/run_error.h"

#include "stepwell/kernel/limits.h"

namespace stepwell {

std::string_view class_word(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::definition: return "definition";
    case ErrorClass::expression: return "expression";
    case ErrorClass::transport: return "transport";
    case ErrorClass::timeout: return "timeout";
    case ErrorClass::authorization: return "authorization";
    case ErrorClass::engine: return "engine";
  }
  return "engine";
}

Value RunError::to_value() const {
  return Value::map({{"class", Value(class_word(error_class))},
                     {"kind", Value(kind)},
                     {"message", Value(message)},
                     {"retryable", retryable},
                     {"step", Value(step)},
                     {"run", Value(run)},
                     {"attempt", static_cast<std::int64_t>(attempt)},
                     {"details", details.depth() <= limits::kErrorDepth ? details : Value()}});
}

RunError RunError::caused_by(const RunError& cause) && {
  std::vector<Member> members = {{"cause", cause.to_value()}};
  if (!details.is_null()) members.push_back({"values", std::move(details)});
  details = Value::map(std::move(members));
  return std::move(*this);
}

}  // namespace stepwell
