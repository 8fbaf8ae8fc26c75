#pragma once

#include <expected>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// Why a plain scalar has no value here, although the schema gives it one.
enum class CoreProblem : std::uint8_t { integer_out_of_range, number_out_of_range, infinite, not_a_number };

// What a plain scalar means by the core schema of YAML 1.2.2 (section 10.3.2):
//   null     null Null NULL ~ and nothing at all
//   boolean  true True TRUE false False FALSE
//   integer  [-+]?[0-9]+  0o[0-7]+  0x[0-9a-fA-F]+
//   number   [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
// Anything else is text: yes, on, 1_000, 0b1, 1:30, 2024-05-01.
std::expected<Value, CoreProblem> resolve_core(std::string_view plain);

}  // namespace stepwell
