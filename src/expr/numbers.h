#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "stepwell/value/value.h"

// Values as numbers, as Python sees them: true is 1 and false is 0.
namespace stepwell {

inline bool is_number(const Value& value) { return value.is_int() || value.is_real() || value.is_bool(); }

// The integer a value is, if it is an integer or a boolean.
inline std::optional<std::int64_t> as_integer(const Value& value) {
  if (value.is_int()) return value.as_int();
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  return std::nullopt;
}

// The nearest double. For numbers only.
inline double to_real(const Value& value) {
  return value.is_real() ? value.as_real() : static_cast<double>(*as_integer(value));
}

// Exact, whatever the types. For numbers only.
std::weak_ordering compare_numbers(const Value& a, const Value& b);

}  // namespace stepwell
