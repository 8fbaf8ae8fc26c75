#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

// Events, commands and states as canonical bytes: docs/formats/events.md. Decoding refuses unknown tags, wrong numbers
// of fields, numbers that mean nothing and anything that is not canonical, and says where.
namespace stepwell {

void append_event(std::string& out, const Event& event);
void append_events(std::string& out, std::span<const Event> events);
std::expected<Event, std::string> decode_event(std::string_view bytes);

void append_command(std::string& out, const Command& command);
std::expected<Command, std::string> decode_command(std::string_view bytes);

// A snapshot. What is derived is not in it, and is computed again on reading. One that does not fit its definition is
// refused; of events that is asked of misfit(), since only the state that they are applied to can tell.
std::string encode_state(const State& state);
std::expected<State, std::string> decode_state(const Definition& definition, std::string_view bytes);

}  // namespace stepwell
