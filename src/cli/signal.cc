#include "stepwell/cli/commands.h"
#include "stepwell/cli/steer.h"

namespace stepwell::cli {
namespace {

ExitCode run_signal(const Command& command, Call& call) {
  SteerFlags flags;
  std::string name;
  std::optional<std::string> json;
  Options options(command);
  flags.declare(options);
  options.argument("NAME", name, "the signal's name");
  options.argument("JSON", json, "its payload; null if left out");
  if (auto ended = options.parse(call)) return *ended;
  const auto payload = json_argument(call, "the payload", json.value_or("null"));
  if (!payload) return ExitCode::usage;
  return steer(call, "executions.signal", flags, Value::map({{"name", name}, {"payload", *payload}}));
}

ExitCode run_patch(const Command& command, Call& call) {
  SteerFlags flags;
  std::string json;
  Options options(command);
  flags.declare(options);
  options.argument("JSON", json, "a JSON merge patch of ctx: members to set, null to remove one");
  if (auto ended = options.parse(call)) return *ended;
  const auto patch = json_argument(call, "the patch", json);
  if (!patch) return ExitCode::usage;
  return steer(call, "executions.patch", flags, Value::map({{"patch", *patch}}));
}

}  // namespace

const Command kSignal = {"signal", "send a signal to an execution",
                         "stepwell signal 7d1f0c52 parcel_delivered '{\"parcel\": \"P-5\", \"at\": \"noon\"}'",
                         run_signal};
const Command kPatch = {"patch", "change the ctx of an execution", "stepwell patch 7d1f0c52 '{\"approved\": true}'",
                        run_patch};

}  // namespace stepwell::cli
