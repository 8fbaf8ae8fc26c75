#pragma once

#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// Computes everything in a state that is marked derived, from the rest, which must fit together: misfit() asks that.
void derive_all(const Definition& definition, State& state);

}  // namespace stepwell
