#include "stepwell/cli/commands.h"
#include "stepwell/cli/steer.h"

// retry and skip: a failure that waits for an operator.
namespace stepwell::cli {
namespace {

ExitCode run_retry(const Command& command, Call& call) {
  SteerFlags flags;
  std::optional<std::string> step;
  Options options(command);
  flags.declare(options);
  options.argument("STEP", step, "the step that failed, or the run (STEP#2); the last failure if left out");
  if (auto ended = options.parse(call)) return *ended;
  return steer(call, "executions.retry", flags, Value::map({{"step", step.value_or("")}}));
}

ExitCode run_skip(const Command& command, Call& call) {
  SteerFlags flags;
  std::string step, json;
  Options options(command);
  flags.declare(options);
  options.argument("STEP", step, "the step that failed, or the run (STEP#2)");
  options.option("--output", "JSON", json, "what it is taken to have come to");
  if (auto ended = options.parse(call)) return *ended;
  const auto output = json_argument(call, "--output", json);
  if (!output) return ExitCode::usage;
  return steer(call, "executions.skip", flags, Value::map({{"step", step}, {"output", *output}}));
}

}  // namespace

const Command kRetry = {"retry", "try a step again that failed and was suspended there",
                        "stepwell retry 7d1f0c52 charge", run_retry};
const Command kSkip = {"skip", "take a failed step as done, with an output of yours",
                       "stepwell skip 7d1f0c52 charge --output '{\"paid\": true}'", run_skip};

}  // namespace stepwell::cli
