#include "stepwell/cli/cli.h"

#include <exception>
#include <ostream>
#include <string_view>
#include <utility>

#include "stepwell/base/version.h"
#include "stepwell/cli/commands.h"

namespace stepwell::cli {
namespace {

constexpr std::string_view kSummary = "Stepwell: a durable workflow engine.";

bool take_global(std::string_view argument, GlobalFlags& flags) {
  if (argument == "--json") return flags.json = true;
  if (argument == "--quiet") return flags.quiet = true;
  if (argument == "--verbose") return flags.verbose = true;
  if (argument == "--no-color") return flags.color = false, true;
  return false;
}

void take_globals(Call& call) {
  std::vector<std::string> rest;
  bool flags_ended = false;
  for (std::string& argument : call.arguments) {
    flags_ended = flags_ended || argument == "--";
    if (flags_ended || !take_global(argument, call.flags)) rest.push_back(std::move(argument));
  }
  call.arguments = std::move(rest);
}

ExitCode run_command(Call& call) {
  if (!call.arguments.empty() && call.arguments.front() == "--version") {
    call.out << "stepwell " << version() << "\n";
    return ExitCode::ok;
  }
  return dispatch(commands(), kSummary, call);
}

}  // namespace

ExitCode run(std::vector<std::string> arguments, Streams streams) {
  Call call{.program = "stepwell",
            .arguments = std::move(arguments),
            .flags = {.color = streams.terminal},
            .in = streams.in,
            .out = streams.out,
            .err = streams.err};
  take_globals(call);
  ExitCode code = ExitCode::internal;
  try {
    code = run_command(call);
  } catch (const std::exception& error) {
    report(call, std::string("this is a bug in stepwell: ") + error.what());
  }
  if (!call.out.flush()) {
    report(call, "cannot write to standard output");
    return ExitCode::internal;
  }
  return code;
}

}  // namespace stepwell::cli
