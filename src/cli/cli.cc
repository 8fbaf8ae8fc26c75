#include "stepwell/cli/cli.h"

#include <algorithm>
#include <exception>
#include <ostream>
#include <span>
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

// "--store DIR" or "--store=DIR": how many arguments that is. None: it is something else.
std::size_t take_store(std::span<const std::string> arguments, GlobalFlags& flags) {
  constexpr std::string_view kStore = "--store";
  const std::string& first = arguments.front();
  if (first == kStore && arguments.size() > 1) return flags.store = arguments[1], 2;
  if (!first.starts_with(std::string(kStore) + "=")) return 0;
  flags.store = first.substr(kStore.size() + 1);
  return 1;
}

void take_globals(Call& call) {
  std::vector<std::string> rest;
  const std::span<const std::string> all = call.arguments;
  for (std::size_t i = 0; i < all.size();) {
    if (all[i] == "--") {
      rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(i), all.end());
      break;
    }
    std::size_t taken = take_store(all.subspan(i), call.flags);
    if (taken == 0 && !take_global(all[i], call.flags)) rest.push_back(all[i]);
    i += std::max<std::size_t>(taken, 1);
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
            .err = streams.err,
            .terminal = streams.terminal};
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
