#pragma once

#include <optional>
#include <string>

#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

// What was decoded has the right shape; whether its numbers name something is asked here, before `apply` or anything
// else relies on it. Nothing: it fits. Otherwise what does not.
namespace stepwell {

// A snapshot, before what is derived is in it.
std::optional<std::string> misfit(const Definition& definition, const State& state);
// An event that is about to be applied to a state. What the kernel decided always fits.
std::optional<std::string> misfit(const Definition& definition, const State& state, const Event& event);

}  // namespace stepwell
