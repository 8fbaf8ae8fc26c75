#include "stepwell/tools/child_outcome.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"

namespace stepwell {

std::vector<std::pair<std::string, std::string>> child_environment(const ToolCall& call) {
  auto environment = base_environment();
  environment.emplace_back("STEPWELL_IDEMPOTENCY_KEY", call.idempotency_key);
  return environment;
}

void set_variable(std::vector<std::pair<std::string, std::string>>& environment, std::string name, std::string value) {
  const auto same = std::ranges::find(environment, name, [](const auto& each) { return each.first; });
  if (same != environment.end()) {
    same->second = std::move(value);
  } else {
    environment.emplace_back(std::move(name), std::move(value));
  }
}

int exit_code(const ChildEnd& end) { return end.why == ChildEnd::Why::killed ? 128 + end.code : end.code; }

TaskOutcome not_started(const std::string& reason) { return failed({.kind = "tool", .message = reason}); }

std::optional<TaskOutcome> cut_short_outcome(const ChildEnd& end, const ChildProgram& program) {
  switch (end.why) {
    case ChildEnd::Why::exited:
    case ChildEnd::Why::killed: return std::nullopt;
    case ChildEnd::Why::timed_out:
      return timed_out(fmt::format("'{}' did not end in time and was killed", program.argv[0]));
    case ChildEnd::Why::stopped: return stopped();
    case ChildEnd::Why::too_large: break;
  }
  return too_large(fmt::format("what '{}' writes", program.argv[0]), program.output_bytes);
}

TaskOutcome exit_failure(const ChildEnd& end, std::string_view what, Value details) {
  const int code = exit_code(end);
  std::string message = end.why == ChildEnd::Why::killed
                            ? fmt::format("{} was ended by signal {} ({})", what, end.code, strsignal(end.code))
                            : fmt::format("{} ended with exit code {}", what, code);
  if (const std::string line = last_line(text_of_bytes(end.errors)); !line.empty()) message += ": " + line;
  return failed({.kind = fmt::format("exit_{}", code),
                 .message = std::move(message),
                 .code = code,
                 .details = std::move(details)});
}

}  // namespace stepwell
