#include "stepwell/cli/commands.h"
#include "stepwell/cli/drive.h"
#include "stepwell/cli/interrupt.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/problem.h"

namespace stepwell::cli {
namespace {

ExitCode run_resume(const Command& command, Call& call) {
  std::string id;
  DriveFlags flags;
  Options options(command);
  options.argument("ID", id, "the execution, or the beginning of its id");
  flags.declare(options);
  if (auto ended = options.parse(call)) return *ended;
  if (const auto problem = flags.problem()) return refuse(call, *problem);
  const Interrupt interrupt;
  auto session = Session::open(call, Use::drive);
  if (!session) return report(call, session.error());
  const auto found = (*session)->service().call("executions.get", Value::map({{"execution", id}}));
  if (!found) return report(call, found.error());
  DriveOptions drive_options = flags.options();
  drive_options.known_version = number_at(*found, "version");
  const ExitCode code = drive(call, **session, text_at(*found, "execution"), drive_options);
  (*session)->close();
  return code;
}

}  // namespace

const Command kResume = {"resume", "go on with an execution that was left, as run does", "stepwell resume 7d1f0c52",
                         run_resume};

}  // namespace stepwell::cli
