#include "stepwell/cli/steer.h"

#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/members.h"
#include "stepwell/cli/session.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {

void SteerFlags::declare(Options& options) {
  options.argument("ID", execution, "the execution, or the beginning of its id");
  options.option("--command-id", "ID", id, "makes it harmless to send the same command again");
  options.option("--expected-version", "V", expected_version, "refuse unless the execution is at this version");
}

ExitCode steer(Call& call, std::string_view method, const SteerFlags& flags, Value params) {
  params = params.with("execution", flags.execution);
  if (flags.id) params = params.with("command_id", *flags.id);
  if (flags.expected_version) {
    const auto version = json_argument(call, "--expected-version", *flags.expected_version);
    if (!version) return ExitCode::usage;
    params = params.with("expected_version", *version);
  }
  const Asked asked = ask(call, Use::look, method, params);
  if (!asked.answer) return asked.code;
  if (call.flags.json) {
    call.out << to_json_pretty(*asked.answer) << '\n';
  } else if (!call.flags.quiet) {
    call.out << text_at(*asked.answer, "execution")
             << (flag_at(*asked.answer, "repeated")
                     ? " had this command before\n"
                     : fmt::format(" is at version {}\n", number_at(*asked.answer, "version")));
  }
  return ExitCode::ok;
}

std::optional<Value> json_argument(Call& call, std::string_view what, const std::string& text) {
  auto value = parse_json(text);
  if (value) return *std::move(value);
  refuse(call, fmt::format("{} must be JSON: {}", what, value.error().to_string()));
  return std::nullopt;
}

}  // namespace stepwell::cli
