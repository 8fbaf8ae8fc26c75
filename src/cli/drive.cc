#include "stepwell/cli/drive.h"

#include <cerrno>
#include <fstream>
#include <ostream>
#include <syncstream>
#include <system_error>

#include <fmt/format.h>

#include "stepwell/cli/interrupt.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/problem.h"
#include "stepwell/cli/progress.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {

namespace {

// Why following has stopped.
enum class Stop { ended, waiting, interrupted };

bool is_end(std::string_view type) {
  return type == "workflow_completed" || type == "workflow_failed" || type == "workflow_partial" ||
         type == "workflow_cancelled";
}

class Driver {
 public:
  Driver(Call& call, Session& session, const std::string& execution, const DriveOptions& options)
      : call_(call),
        session_(session),
        execution_(execution),
        options_(options),
        stays_(options.wait.value_or(call.terminal)),
        progress_(call, options.known_version) {}

  ExitCode run() {
    if (!open_events()) return ExitCode::usage;
    const Value params = Value::map({{"execution", execution_}, {"rests", true}});
    const auto followed =
        session_.service().follow("executions.events", params, [this](const Value& event) { return hear(event); });
    progress_.finish();
    if (Interrupt::asked()) stop_ = Stop::interrupted;
    if (stop_ == Stop::ended && !followed) return report(call_, followed.error());
    switch (stop_) {
      case Stop::ended: return tell_end();
      case Stop::waiting: return tell_waiting();
      case Stop::interrupted: return tell_interrupted();
    }
    return ExitCode::internal;
  }

 private:
  bool open_events() {
    if (!options_.events || *options_.events == "-") return true;
    errno = 0;
    file_.open(*options_.events, std::ios::binary | std::ios::trunc);
    if (!file_) {
      report(call_, fmt::format("cannot write '{}': {}", *options_.events, std::generic_category().message(errno)));
    }
    return file_.is_open();
  }

  bool hear(const Value& event) {
    if (Interrupt::asked()) return stop_ = Stop::interrupted, false;
    if (event.is_null()) return progress_.beat(), true;
    if (const Value* rest = event.find("rest")) return hear_rest(*rest);
    if (options_.events) events() << to_json(event) << '\n' << std::flush;
    progress_.event(event);
    if (is_end(text_at(event, "type"))) end_ = event;
    return true;
  }

  bool hear_rest(const Value& rest) {
    if (flag_at(rest, "moves")) return true;
    progress_.rest(execution_, rest);
    if (!stays_) stop_ = Stop::waiting;
    return stays_;
  }

  std::ostream& events() { return file_.is_open() ? static_cast<std::ostream&>(file_) : call_.out; }

  // The lines of events are the whole of the standard output if they go there: the last one has the output.
  void print_output() {
    if (options_.events == "-") return;
    call_.out << to_json_pretty(value_at(end_, "output")) << '\n';
  }

  ExitCode tell_end() {
    const std::string type = text_at(end_, "type");
    const bool terminated = flag_at(end_, "is_explicit");
    if (terminated && (type == "workflow_failed" || !call_.flags.quiet)) {
      std::osyncstream(call_.err) << fmt::format("terminated at '{}': {}\n", text_at(end_, "terminated_by"),
                                                 text_at(end_, "termination_reason"))
                                  << std::flush;
    }
    if (type == "workflow_completed") return print_output(), ExitCode::ok;
    if (type == "workflow_partial") return print_output(), ExitCode::partial;
    if (type == "workflow_cancelled") {
      const std::string reason = text_at(end_, "reason");
      report(call_, fmt::format("cancelled{}{}", reason.empty() ? "" : ": ", reason));
      return ExitCode::cancelled;
    }
    if (terminated) return print_output(), ExitCode::failed;
    const Value error = value_at(end_, "error");
    const std::string step = text_at(error, "step");
    report(call_, fmt::format("failed{}: {} ({})", step.empty() ? "" : fmt::format(" at '{}'", step),
                              text_at(error, "message"), text_at(error, "kind")));
    return ExitCode::failed;
  }

  ExitCode tell_waiting() {
    if (!call_.flags.quiet)
      std::osyncstream(call_.err) << fmt::format("left waiting; `stepwell resume {}` goes on\n", execution_)
                                  << std::flush;
    return ExitCode::waiting;
  }

  ExitCode tell_interrupted() {
    if (call_.flags.quiet) return ExitCode::waiting;
    std::osyncstream(call_.err) << (session_.holds() ? "stopped" : "it goes on without this command")
                                << "; `stepwell resume " << execution_ << "` "
                                << (session_.holds() ? "goes on" : "shows it again") << '\n'
                                << std::flush;
    return ExitCode::waiting;
  }

  Call& call_;
  Session& session_;
  const std::string& execution_;
  const DriveOptions& options_;
  const bool stays_;
  Progress progress_;
  std::ofstream file_;
  Value end_;  // the event that ended it
  Stop stop_ = Stop::ended;
};

}  // namespace

void DriveFlags::declare(Options& options) {
  options.option("--events", "FILE", events, "write every event as a line of JSON; - is the standard output");
  options.flag("--wait", wait, "stay even if only somebody outside can move it on");
  options.flag("--no-wait", no_wait, "leave then, even on a terminal");
}

std::optional<std::string> DriveFlags::problem() const {
  if (wait && no_wait) return "--wait and --no-wait contradict each other";
  return std::nullopt;
}

DriveOptions DriveFlags::options() const {
  DriveOptions made{.events = events};
  if (wait || no_wait) made.wait = wait;
  return made;
}

ExitCode drive(Call& call, Session& session, const std::string& execution, const DriveOptions& options) {
  return Driver(call, session, execution, options).run();
}

}  // namespace stepwell::cli
