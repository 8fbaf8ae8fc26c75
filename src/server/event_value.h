#pragma once

#include <string>
#include <vector>

#include "stepwell/kernel/playbook/event.h"
#include "stepwell/runtime/instance.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One thing that happened, for those outside (docs/reference/events.md): its type, and what else there is to say. What
// is missing or null is left out.
struct ToldEvent {
  std::string type = {};
  std::vector<Member> members = {};
};

// How an event is told, given the execution as it was before it. Mostly as one; but an attempt begins with the step
// that it is of, and fails with it, and those outside are told of each.
std::vector<ToldEvent> tell(const Instance& before, const Event& event);

}  // namespace stepwell
