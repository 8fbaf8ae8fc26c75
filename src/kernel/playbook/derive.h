#pragma once

#include <optional>
#include <string>

#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// Computes everything in a state that is marked derived, from the rest. Answers what does not fit together, if
// anything.
std::optional<std::string> derive_all(const Definition& definition, State& state);

}  // namespace stepwell
