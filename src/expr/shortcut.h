#pragma once

#include <optional>
#include <span>

#include "stepwell/expr/evaluator.h"

// Most programs of a playbook read one place, or compare what is there with something: an answer for those without the
// machine, which costs several times as much to set up as they take. They answer and spend as the machine would;
// whatever is not that simple, and every error, is left to it.
namespace stepwell {

std::optional<Value> evaluate_simple(const Program& program, std::span<const Input> inputs, Budget& budget);
std::optional<bool> ask_simple(const Program& program, std::span<const Input> inputs, Budget& budget);

}  // namespace stepwell
