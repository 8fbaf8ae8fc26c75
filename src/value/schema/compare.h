#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "stepwell/value/schema/fuel.h"
#include "stepwell/value/value.h"

// Equality as JSON Schema has it, where 1 and 1.0 are the same number and differ from true, and a total order that
// agrees with it. An order rather than a hash: nobody can choose values that collide.
namespace stepwell::schema {

bool is_number(const Value& value);

// Exact, also where an integer and a real meet that no double can tell apart. Both must be numbers.
std::weak_ordering compare_numbers(const Value& a, const Value& b);

// Says "equivalent" once the fuel is gone; the caller asks fuel.exhausted() before it believes that.
std::weak_ordering compare_json(const Value& a, const Value& b, Fuel& fuel);

// The positions of two equal items, the first such pair in the order of the list; none if all differ.
std::optional<std::pair<std::size_t, std::size_t>> find_duplicate(std::span<const Value> items, Fuel& fuel);

// Whether the number is an integral multiple of the divisor, both taken as the decimal numbers that people write: 0.3
// is a multiple of 0.1. The divisor must be above zero.
bool is_multiple(const Value& number, const Value& divisor);

}  // namespace stepwell::schema
