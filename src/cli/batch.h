#pragma once

#include <expected>
#include <functional>
#include <string_view>

#include "stepwell/cli/command.h"
#include "stepwell/value/value.h"

// What --batch means, for every command that has it.
namespace stepwell::cli {

inline constexpr std::string_view kBatchHelp =
    "standard input is JSON lines; answer each by a line {\"value\"} or {\"error\"}";

// What stands behind "value", or behind "error".
using LineAnswer = std::expected<Value, Value>;

// Answers every line of the call's input that is not blank by one line, in order: {"value": ...} or {"error": ...}. A
// line that is refused does not end the batch.
ExitCode answer_lines(Call& call, const std::function<LineAnswer(std::string_view line)>& answer);

// {"code", "message"}
LineAnswer refusal(std::string_view code, std::string_view message);

}  // namespace stepwell::cli
