#pragma once

#include <optional>
#include <string>

#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// What must hold of every state between two commands, or the first thing that does not.
std::optional<std::string> check_invariants(const Definition& definition, const State& state);

}  // namespace stepwell
