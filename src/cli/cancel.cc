#include "stepwell/cli/commands.h"
#include "stepwell/cli/steer.h"

// cancel, suspend and unsuspend: an execution as a whole.
namespace stepwell::cli {
namespace {

ExitCode steer_with_reason(const Command& command, Call& call, std::string_view method) {
  SteerFlags flags;
  std::optional<std::string> reason;
  Options options(command);
  flags.declare(options);
  options.option("--reason", "TEXT", reason, "why, for those who look at it later");
  if (auto ended = options.parse(call)) return *ended;
  return steer(call, method, flags, Value::map({{"reason", reason.value_or("")}}));
}

ExitCode run_cancel(const Command& command, Call& call) {
  return steer_with_reason(command, call, "executions.cancel");
}

ExitCode run_suspend(const Command& command, Call& call) {
  return steer_with_reason(command, call, "executions.suspend");
}

ExitCode run_unsuspend(const Command& command, Call& call) {
  SteerFlags flags;
  Options options(command);
  flags.declare(options);
  if (auto ended = options.parse(call)) return *ended;
  return steer(call, "executions.unsuspend", flags, Value::map({}));
}

}  // namespace

const Command kCancel = {"cancel", "end an execution, and those it has called",
                         "stepwell cancel 7d1f0c52 --reason 'ordered twice'", run_cancel};
const Command kSuspend = {"suspend", "let no new run of an execution start until it is unsuspended",
                          "stepwell suspend 7d1f0c52 --reason 'the warehouse moves'", run_suspend};
const Command kUnsuspend = {"unsuspend", "let a suspended execution go on", "stepwell unsuspend 7d1f0c52",
                            run_unsuspend};

}  // namespace stepwell::cli
