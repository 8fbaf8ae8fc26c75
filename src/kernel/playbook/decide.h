#pragma once

#include <expected>
#include <vector>

#include "stepwell/base/stamp.h"
#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/effect.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/lookups.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// What a command comes to.
struct Decision {
  std::vector<Event> events = {};
  std::vector<Effect> effects = {};
};

// Decides one command to the next rest, or refuses it and changes nothing: all checks come before the first emit.
//   1. Make decision.events durable. If that fails, drop `state` and rebuild it from the journal.
//   2. Only then perform decision.effects. A crash in between performs them again: they carry a stable key.
std::expected<Decision, Refusal> decide(const Definition& definition, State& state, const Command& command,
                                        const Stamp& stamp, const Lookups& lookups);
// The same into a decision whose memory is used again: what was in it is gone, and if it is refused nothing is in it.
std::expected<void, Refusal> decide(const Definition& definition, State& state, const Command& command,
                                    const Stamp& stamp, const Lookups& lookups, Decision& decision);

// Brings a state to where it was after a command, from the events that were decided then.
void replay(const Definition& definition, State& state, const std::vector<Event>& events);

// The effects of everything that is open: what a restart must ask again.
std::vector<Effect> open_effects(const State& state);

}  // namespace stepwell
