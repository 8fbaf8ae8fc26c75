#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/tools/child_process.h"
#include "stepwell/tools/tool.h"

// What tools that run a child process have in common.
namespace stepwell {

// PATH, HOME, LANG and STEPWELL_IDEMPOTENCY_KEY.
std::vector<std::pair<std::string, std::string>> child_environment(const ToolCall& call);
void set_variable(std::vector<std::pair<std::string, std::string>>& environment, std::string name, std::string value);

// As shells tell it: 128 and the signal for a program that a signal ended.
int exit_code(const ChildEnd& end);

TaskOutcome not_started(const std::string& reason);
// The outcome of a program that did not come to its own end; nothing for one that did.
std::optional<TaskOutcome> cut_short_outcome(const ChildEnd& end, const ChildProgram& program);
// Of kind exit_N.
TaskOutcome exit_failure(const ChildEnd& end, std::string_view what, Value details);

}  // namespace stepwell
