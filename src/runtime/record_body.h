#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/base/stamp.h"
#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/event.h"

// The body of a record: the stamp, the command and the events of one decision (docs/formats/journal.md).
namespace stepwell {

void append_body(std::string& out, const Stamp& stamp, const Command& command, const std::vector<Event>& events);

// The parts of a body, still encoded; borrows from it.
struct BodyParts {
  Stamp stamp = {};
  std::string_view command = {};
  std::vector<std::string_view> events = {};
};
std::expected<BodyParts, std::string> split_body(std::string_view body);

struct RecordBody {
  Stamp stamp = {};
  Command command = {};
  std::vector<Event> events = {};
};
std::expected<RecordBody, std::string> decode_body(std::string_view body);
// The events alone, for replay.
std::expected<std::vector<Event>, std::string> decode_events(const BodyParts& parts);

}  // namespace stepwell
