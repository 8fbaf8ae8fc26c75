#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/session.h"

// verify and replay: is what is stored what was decided?
namespace stepwell::cli {
namespace {

// Prints what was found wrong, or `well`.
ExitCode print_problems(Call& call, const Value& answer, const std::string& well) {
  const Value problems = value_at(answer, "problems");
  if (call.flags.json) call.out << to_json_pretty(answer) << '\n';
  for (const Value& problem : problems.as_list()) {
    report(call, fmt::format("{}: {}", text_at(problem, "place"), text_at(problem, "message")));
  }
  if (!problems.as_list().empty()) return ExitCode::failed;
  if (!call.flags.json && !call.flags.quiet) call.out << well << '\n';
  return ExitCode::ok;
}

ExitCode run_verify(const Command& command, Call& call) {
  Options options(command);
  if (auto ended = options.parse(call)) return *ended;
  const Asked asked = ask(call, Use::look, "store.verify", Value::map({}));
  if (!asked.answer) return asked.code;
  return print_problems(call, *asked.answer, "nothing was altered, cut out or damaged");
}

ExitCode run_replay(const Command& command, Call& call) {
  std::vector<std::string> ids;
  bool verify = false;
  Options options(command);
  options.arguments("ID", ids, "only these executions");
  options.flag("--verify", verify, "decide every command again, and demand the same events to the byte");
  if (auto ended = options.parse(call)) return *ended;
  const Asked asked = ask(call, Use::look, "store.replay",
                          Value::map({{"executions", Value::list({ids.begin(), ids.end()})}, {"verify", verify}}));
  if (!asked.answer) return asked.code;
  return print_problems(call, *asked.answer,
                        fmt::format("{} executions, {} commands, {} events: {}", number_at(*asked.answer, "executions"),
                                    number_at(*asked.answer, "records"), number_at(*asked.answer, "events"),
                                    verify ? "decided again, all the same" : "all of them fit"));
}

}  // namespace

const Command kVerify = {"verify", "read everything that is stored and check that nothing was altered or lost",
                         "stepwell verify", run_verify};
const Command kReplay = {"replay", "bring executions from nothing to where they are, by what was recorded",
                         "stepwell replay --verify", run_replay};

}  // namespace stepwell::cli
