#include "stepwell/cli/command.h"

#include <algorithm>
#include <ostream>
#include <syncstream>

#include <fmt/format.h>

#include "stepwell/base/nearest.h"

namespace stepwell::cli {
namespace {

std::string help(std::span<const Command* const> table, std::string_view summary, std::string_view program) {
  std::size_t width = 0;
  for (const Command* command : table) width = std::max(width, command->name.size());
  std::string text = fmt::format("{}\n\nusage: {} COMMAND [ARGUMENTS]\n\ncommands:\n", summary, program);
  for (const Command* command : table) text += fmt::format("  {:<{}}  {}\n", command->name, width, command->summary);
  text += fmt::format("\nexample:\n  {}\n", table.front()->example);
  text += fmt::format("\n{} COMMAND --help says what a command takes.\n{}\n", program, kEverywhere);
  return text;
}

std::string unknown(std::span<const Command* const> table, const std::string& name, std::string_view program) {
  std::vector<std::string_view> names;
  for (const Command* command : table) names.push_back(command->name);
  if (name.starts_with('-')) {
    names = {"--help", "--version", "--json", "--quiet", "--verbose", "--no-color", "--store"};
    if (auto meant = nearest(name, names)) return fmt::format("no option '{}'; did you mean '{}'?", name, *meant);
    return fmt::format("no option '{}' (see {} --help)", name, program);
  }
  if (auto meant = nearest(name, names)) return fmt::format("no command '{}'; did you mean '{}'?", name, *meant);
  return fmt::format("no command '{}'; there is: {} (see {} --help)", name, fmt::join(names, ", "), program);
}

}  // namespace

ExitCode dispatch(std::span<const Command* const> table, std::string_view summary, Call& call) {
  if (call.arguments.empty()) {
    call.err << help(table, summary, call.program);
    return ExitCode::usage;
  }
  const std::string name = call.arguments.front();
  if (name == "help" && call.arguments.size() > 1) {  // "help eval" is "eval --help".
    call.arguments.erase(call.arguments.begin());
    call.arguments.push_back("--help");
    return dispatch(table, summary, call);
  }
  if (name == "--help" || name == "-h" || name == "help") {
    call.out << help(table, summary, call.program);
    return ExitCode::ok;
  }
  const auto found = std::ranges::find(table, name, &Command::name);
  if (found == table.end()) return refuse(call, unknown(table, name, call.program));
  call.arguments.erase(call.arguments.begin());
  call.program += " " + name;
  return (*found)->run(**found, call);
}

void report(Call& call, std::string_view message) {
  const auto [begin, end] = call.flags.color ? std::pair("\033[31m", "\033[0m") : std::pair("", "");
  // Whole lines, since the runtime reports from threads of its own.
  std::osyncstream(call.err) << begin << call.program << ":" << end << " " << message << "\n" << std::flush;
}

ExitCode refuse(Call& call, std::string_view message) {
  report(call, message);
  return ExitCode::usage;
}

}  // namespace stepwell::cli
