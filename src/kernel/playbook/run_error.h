#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "stepwell/base/boxed.h"
#include "stepwell/kernel/field.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/value.h"

namespace stepwell {

// Numbers are on disk.
enum class ErrorClass : std::uint8_t {
  definition = 1,
  expression = 2,
  transport = 3,
  timeout = 4,
  authorization = 5,
  engine = 6,
};
constexpr bool known(ErrorClass value) {
  switch (value) {
    case ErrorClass::definition:
    case ErrorClass::expression:
    case ErrorClass::transport:
    case ErrorClass::timeout:
    case ErrorClass::authorization:
    case ErrorClass::engine: return true;
  }
  return false;
}
std::string_view class_word(ErrorClass error_class);

// Why an attempt, a run or an execution failed.
struct RunError {
  ErrorClass error_class = ErrorClass::engine;
  std::string kind = {};  // finer than the class: "http_503", "join_unsatisfied"
  std::string message = {};
  bool retryable = false;
  Value details = {};
  std::string step = {};  // whose it is
  std::string run = {};
  std::uint32_t attempt = 0;

  // What expressions see as `error`. Details that nest too deep are left out: errors hold what led to them, scopes nest
  // without end, and values do not.
  Value to_value() const;
  // The same error, with the one that it came in the way of as details.cause.
  RunError caused_by(const RunError& cause) &&;

  friend bool operator==(const RunError&, const RunError&) = default;
  static constexpr void each_field(auto visit) {
    visit("class", &RunError::error_class);
    visit("kind", &RunError::kind);
    visit("message", &RunError::message);
    visit("retryable", &RunError::retryable);
    visit("details", &RunError::details);
    visit("step", &RunError::step);
    visit("run", &RunError::run);
    visit("attempt", &RunError::attempt);
  }
};

// What may fail as a run does.
template <typename T>
using OrFailure = std::expected<T, Boxed<RunError>>;

}  // namespace stepwell
