#include <ostream>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/event_line.h"
#include "stepwell/cli/interrupt.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/problem.h"
#include "stepwell/cli/session.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

void print(Call& call, const Value& event) {
  call.out << (call.flags.json ? to_json(event) : event_line(event)) << '\n' << std::flush;
}

// To the end of the execution, as long as somebody drives it.
ExitCode follow(Call& call, Session& session, const Value& params) {
  const Interrupt interrupt;
  const auto followed = session.service().follow("executions.events", params, [&](const Value& event) {
    if (!event.is_null()) print(call, event);
    return !Interrupt::asked();
  });
  return followed ? ExitCode::ok : report(call, followed.error());
}

ExitCode run_events(const Command& command, Call& call) {
  std::string id;
  std::optional<std::string> after;
  bool follows = false;
  Options options(command);
  options.argument("ID", id, "the execution, or the beginning of its id");
  options.option("--after", "SEQ", after, "only those behind this number");
  options.flag("--follow", follows, "and those that come, until it has ended");
  if (auto ended = options.parse(call)) return *ended;
  const auto from = parse_json(after.value_or("0"));
  if (!from || !from->is_int() || from->as_int() < 0) return refuse(call, "--after takes a number from 0");
  const Value params = Value::map({{"execution", id}, {"after", *from}});
  auto session = Session::open(call, Use::look);
  if (!session) return report(call, session.error());
  if (follows && !(*session)->holds()) return follow(call, **session, params);
  const auto events = (*session)->service().call("executions.events", params);
  if (!events) return report(call, events.error());
  for (const Value& event : events->as_list()) print(call, event);
  if (follows && !call.flags.quiet) {
    call.err << "nobody drives the store, so nothing follows; `stepwell resume " << id << "` would\n";
  }
  return ExitCode::ok;
}

}  // namespace

const Command kEvents = {"events", "what has happened to an execution, event by event; with --json as JSON lines",
                         "stepwell events 7d1f0c52 --follow", run_events};

}  // namespace stepwell::cli
