#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/session.h"
#include "stepwell/value/json_read.h"

// Time travel: the state at a version, and what changed between two.
namespace stepwell::cli {
namespace {

// Nothing: it is no version, and that was said.
std::optional<Value> version_of(Call& call, const std::string& text) {
  const auto number = parse_json(text);
  if (number && number->is_int() && number->as_int() > 0) return *number;
  report(call, fmt::format("'{}' is no version: they are numbers from 1 (`stepwell events ID` shows them)", text));
  return std::nullopt;
}

ExitCode run_state(const Command& command, Call& call) {
  std::string id;
  std::optional<std::string> at;
  Options options(command);
  options.argument("ID", id, "the execution, or the beginning of its id");
  options.option("--at", "V", at, "as it was at this version");
  if (auto ended = options.parse(call)) return *ended;
  Value params = Value::map({{"execution", id}});
  if (at) {
    const auto version = version_of(call, *at);
    if (!version) return ExitCode::usage;
    params = params.with("at", *version);
  }
  const Asked asked = ask(call, Use::look, "executions.state", params);
  if (!asked.answer) return asked.code;
  call.out << to_json_pretty(*asked.answer) << '\n';
  return ExitCode::ok;
}

ExitCode run_diff(const Command& command, Call& call) {
  std::string id, from;
  std::optional<std::string> to;
  Options options(command);
  options.argument("ID", id, "the execution, or the beginning of its id");
  options.argument("V1", from, "the version to begin with");
  options.argument("V2", to, "the version to end with; the latest if left out");
  if (auto ended = options.parse(call)) return *ended;
  const auto first = version_of(call, from);
  const auto last = to ? version_of(call, *to) : std::optional<Value>(Value());
  if (!first || !last) return ExitCode::usage;
  const Asked asked =
      ask(call, Use::look, "executions.diff", Value::map({{"execution", id}, {"from", *first}, {"to", *last}}));
  if (!asked.answer) return asked.code;
  if (call.flags.json) {
    call.out << to_json_pretty(value_at(*asked.answer, "changes")) << '\n';
  } else {
    call.out << text_at(*asked.answer, "text");
  }
  return ExitCode::ok;
}

}  // namespace

const Command kState = {"state", "the state of an execution, now or at an earlier version",
                        "stepwell state 7d1f0c52 --at 3", run_state};
const Command kDiff = {"diff", "what changed in an execution from one version to another", "stepwell diff 7d1f0c52 3 5",
                       run_diff};

}  // namespace stepwell::cli
