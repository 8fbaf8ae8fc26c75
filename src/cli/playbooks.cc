#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/document_file.h"
#include "stepwell/cli/input.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/problem.h"
#include "stepwell/cli/session.h"
#include "stepwell/cli/table.h"

// The catalog: what is registered, and how it gets there.
namespace stepwell::cli {
namespace {

constexpr std::size_t kShortHash = 12;

ExitCode run_playbooks(const Command& command, Call& call) {
  std::optional<std::string> name;
  Options options(command);
  options.argument("NAME", name, "only the versions of this one");
  if (auto ended = options.parse(call)) return *ended;
  const Asked asked = ask(call, Use::look, "playbooks.list", Value::map({{"name", name.value_or("")}}));
  if (!asked.answer) return asked.code;
  if (call.flags.json) {
    call.out << to_json_pretty(*asked.answer) << '\n';
    return ExitCode::ok;
  }
  Table table({"NAME", "VERSION", "KIND", "HASH"});
  for (const Value& entry : asked.answer->as_list()) {
    table.add({text_at(entry, "name"), text_at(entry, "version"), text_at(entry, "kind"),
               text_at(entry, "hash").substr(0, kShortHash)});
  }
  table.print(call.out);
  return ExitCode::ok;
}

// Every file is tried, so that all that is wrong is said at once.
ExitCode register_all(Call& call, Service& service, const std::vector<std::string>& files) {
  ExitCode code = ExitCode::ok;
  std::vector<Value> registered;
  for (const std::string& file : files) {
    const auto source = read_input(file, call.in);
    if (!source) {
      code = refuse(call, source.error());
      continue;
    }
    const auto added = service.call("playbooks.register", Value::map({{"source", *source},
                                                                      {"file", file == "-" ? "standard input" : file},
                                                                      {"default_name", default_name(file)}}));
    if (!added) {
      code = report(call, added.error());
      continue;
    }
    if (const std::string warnings = text_at(*added, "warnings"); !warnings.empty()) call.err << warnings << '\n';
    if (!call.flags.json && !call.flags.quiet) {
      call.out << fmt::format("{} version {}\n", text_at(*added, "name"), number_at(*added, "version"));
    }
    registered.push_back(*added);
  }
  if (call.flags.json) call.out << to_json_pretty(Value::list(std::move(registered))) << '\n';
  return code;
}

ExitCode run_register(const Command& command, Call& call) {
  std::vector<std::string> paths;
  Options options(command);
  options.arguments("FILE", paths, "documents, or directories with documents in them; - is the standard input");
  if (auto ended = options.parse(call)) return *ended;
  if (paths.empty()) return refuse(call, "which files? give one or more");
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    auto found = document_paths(path);
    if (!found) return refuse(call, found.error());
    files.insert(files.end(), found->begin(), found->end());
  }
  auto session = Session::open(call, Use::make);
  if (!session) return report(call, session.error());
  return register_all(call, (*session)->service(), files);
}

}  // namespace

const Command kPlaybooks = {"playbooks", "list what is registered", "stepwell playbooks hello", run_playbooks};
const Command kRegister = {"register", "put playbooks and other documents into the catalog of the store",
                           "stepwell register examples/sub_playbook/price.yaml", run_register};

}  // namespace stepwell::cli
