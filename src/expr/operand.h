#pragma once

#include <cstdint>

#include "stepwell/value/value.h"

namespace stepwell {

// What is on the evaluator's stack: a value, or undefined with a note of where it came from.
struct Operand {
  static constexpr std::uint32_t kDefined = ~0u;
  static constexpr std::uint32_t kUnset = ~0u - 1;  // a local that nothing was assigned to

  Value value;  // undefined by `path` with keys from the stack: the list of those keys; by `item`: the key
  std::uint32_t missing = kDefined;  // undefined: the instruction that found nothing
  std::uint32_t keys = 0;            // undefined by `path`: how many of its keys lead to what is missing

  Operand() = default;
  Operand(Value held) : value(std::move(held)) {}
  static Operand undefined(std::uint32_t instruction, std::uint32_t keys = 0, Value seen = {}) {
    Operand operand(std::move(seen));
    operand.missing = instruction;
    operand.keys = keys;
    return operand;
  }

  bool defined() const { return missing == kDefined; }
};

}  // namespace stepwell
