#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/playbook_file.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

ExitCode run_validate(const Command& command, Call& call) {
  std::vector<std::string> files;
  Options options(command);
  options.arguments("FILE", files, "playbooks; - is the standard input");
  if (auto ended = options.parse(call)) return *ended;
  if (files.empty()) return refuse(call, "which files? give one or more");
  std::vector<Value> found;
  std::size_t bad = 0;
  for (const std::string& file : files) {
    const PlaybookFile read = read_playbook_file(file, call.in);
    if (!read.playbook) ++bad;
    for (const Diagnostic& diagnostic : read.diagnostics) {
      if (call.flags.json) {
        found.push_back(diagnostic.to_value());
      } else {
        call.err << diagnostic.to_string() << '\n';
      }
    }
  }
  if (call.flags.json) {
    call.out << to_json_pretty(Value::list(std::move(found))) << '\n';
  } else if (!call.flags.quiet) {
    call.out << fmt::format("{} of {} valid\n", files.size() - bad, files.size());
  }
  return bad == 0 ? ExitCode::ok : ExitCode::usage;
}

}  // namespace

const Command kValidate = {"validate", "check playbooks and say everything that is wrong with them",
                           "stepwell validate examples/hello/playbook.yaml", run_validate};

}  // namespace stepwell::cli
