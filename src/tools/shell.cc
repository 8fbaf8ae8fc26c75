#include "stepwell/tools/shell.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/tools/call_fields.h"
#include "stepwell/tools/child_outcome.h"
#include "stepwell/tools/child_process.h"
#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

std::vector<std::string> argv_of(CallFields& fields) {
  const Value* cmd = fields.find("cmd");
  if (cmd != nullptr && cmd->is_text()) return {"/bin/sh", "-c", std::string(cmd->as_text())};
  std::vector<std::string> argv;
  bool fits = cmd != nullptr && cmd->is_list() && !cmd->as_list().empty();
  if (fits) {
    argv.reserve(cmd->as_list().size());
    for (const Value& word : cmd->as_list()) {
      fits = fits && !word.is_null() && !word.is_list() && !word.is_map();
      argv.push_back(word.is_text() ? std::string(word.as_text()) : to_json(word));
    }
  }
  if (!fits) fields.refuse("cmd", "text or a list of texts");
  return argv;
}

bool holds_nul(const ChildProgram& program) {
  auto nul = [](const std::string& text) { return text.contains('\0'); };
  for (const auto& [name, value] : program.environment) {
    if (nul(name) || nul(value)) return true;
  }
  return std::ranges::any_of(program.argv, nul) || nul(program.directory);
}

Value result_of(const ChildEnd& end, int code) {
  std::vector<Member> members = {
      {"stdout", Value(text_of_bytes(end.output))}, {"stderr", Value(text_of_bytes(end.errors))}, {"exit_code", code}};
  if (auto json = parse_json(end.output); json && json->depth() < limits::kDataDepth) {
    members.push_back({"json", std::move(*json)});
  }
  return Value::map(std::move(members));
}

}  // namespace

TaskOutcome ShellTool::run(const ToolCall& call) {
  CallFields fields(call);
  const std::optional<Duration> timeout = fields.duration("timeout");
  ChildProgram program{.argv = argv_of(fields),
                       .environment = child_environment(call),
                       .directory = std::string(fields.optional_text("cwd")),
                       .input = std::string(fields.optional_text("stdin")),
                       .deadline = deadline_of(call, timeout),
                       .stop = call.stop,
                       .output_bytes = call.result_bytes,
                       .progress = call.progress};
  for (auto& [name, value] : fields.texts("env")) set_variable(program.environment, std::move(name), std::move(value));
  if (auto wrong = fields.wrong()) return *wrong;
  if (holds_nul(program))
    return wrong_field("a command, its environment and directory cannot hold the character U+0000");

  const auto end = run_child(program);
  if (!end) return not_started(end.error());
  if (auto cut_short = cut_short_outcome(*end, program)) return *cut_short;
  const int code = exit_code(*end);
  Value result = result_of(*end, code);
  TaskOutcome outcome =
      code == 0 ? TaskOutcome{.result = std::move(result)} : exit_failure(*end, "the command", std::move(result));
  outcome.exit = Value::map({{"code", code}});
  return outcome;
}

}  // namespace stepwell
