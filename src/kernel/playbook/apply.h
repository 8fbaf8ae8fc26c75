#pragma once

#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// Changes the state by one fact. This is the only code that writes a State; it is called by `decide`, once for each
// event it emits, and by replay. It decides nothing and cannot fail: an event that does not fit the state is a broken
// journal or a bug, and is CHECKed.
void apply(const Definition& definition, State& state, const Event& event);

// Called after the last event of each accepted command.
void end_commit(State& state);

}  // namespace stepwell
