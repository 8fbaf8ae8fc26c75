#pragma once

#include <string>
#include <string_view>

#include "stepwell/model/pipeline.h"
#include "stepwell/value/value.h"

namespace stepwell {

// The classes that an error of a tool can have (docs/reference/tools.md lists the kinds).
namespace error_class {
inline constexpr std::string_view kExpression = "expression";
inline constexpr std::string_view kTransport = "transport";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kAuthorization = "authorization";
}  // namespace error_class

struct ToolError {
  std::string_view error_class = error_class::kTransport;
  std::string kind = {};
  std::string message = {};
  bool retryable = false;
  Value code = {};  // what the other side calls it: 503, 1, "23505"
  Value details = {};

  // {class, kind, code, message, retryable, details}
  Value to_value() const;
};

TaskOutcome failed(const ToolError& error);

// The outcomes that several tools know.
//   type: a field does not hold what it must
TaskOutcome wrong_field(std::string message);
//   timeout: the tool's own limit of time, or that of the attempt, has passed
TaskOutcome timed_out(std::string message);
//   size: there is more than a result may hold
TaskOutcome too_large(std::string_view what, std::size_t most);
//   secret_refused: nobody knows this secret
TaskOutcome no_secret(std::string_view name);
//   cancelled: nobody will look at it
TaskOutcome stopped();

}  // namespace stepwell
