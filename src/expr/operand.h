#pragma once

#include <cstdint>

#include "stepwell/value/value.h"

namespace stepwell {

// What is on the evaluator's stack: a value, or undefined with a note of where it came from. Undefined is an error as
// soon as someone needs it, with one exception, Jinja2's: the value of an inline if that is false and has no else is
// `blank`, which prints nothing and is false.
struct Operand {
  static constexpr std::uint32_t kDefined = ~0u;
  static constexpr std::uint32_t kUnset = ~0u - 1;  // a local that nothing was assigned to

  Value value;  // undefined by `path` with keys from the stack: the list of those keys; by `item`: the key
  std::uint32_t missing = kDefined;  // undefined: the instruction that found nothing
  // Undefined by `path`: how many of its keys lead to what is missing. A reference to a blob that `path` read: which
  // one of the machine's, counted from 1.
  std::uint32_t keys = 0;

  bool blank = false;

  Operand() = default;
  Operand(Value held) : value(std::move(held)) {}
  static Operand undefined(std::uint32_t instruction, std::uint32_t keys = 0, Value seen = {}) {
    Operand operand(std::move(seen));
    operand.missing = instruction;
    operand.keys = keys;
    return operand;
  }

  // What an inline if without else is when its condition is false.
  static Operand blank_at(std::uint32_t instruction) {
    Operand operand = undefined(instruction);
    operand.blank = true;
    return operand;
  }

  bool defined() const { return missing == kDefined; }
};

}  // namespace stepwell
