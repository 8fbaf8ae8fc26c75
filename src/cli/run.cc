#include <algorithm>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/document_file.h"
#include "stepwell/cli/drive.h"
#include "stepwell/cli/input.h"
#include "stepwell/cli/interrupt.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/problem.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

// What to run: a file that is to be registered first, or the name and version of what is registered.
struct Target {
  std::optional<std::string> source = {};
  std::string file = {};
  std::string name = {};
  Value version = {};
};

bool is_file(const std::string& text) {
  std::error_code ignored;
  return text == "-" || text.ends_with(".yaml") || text.ends_with(".yml") || text.ends_with(".json") ||
         std::filesystem::is_regular_file(text, ignored);
}

// Reads and checks the file before a store is opened for it. Nothing: what is wrong was printed.
std::optional<Target> read_target(const std::string& text, Call& call) {
  if (!is_file(text)) {
    const std::size_t at = text.find('@');
    Target target{.name = text.substr(0, at)};
    if (at == std::string::npos) return target;
    const auto version = parse_json(text.substr(at + 1));
    if (version && version->is_int() && version->as_int() > 0) return target.version = *version, target;
    report(call, fmt::format("'{}' is no version; NAME@2 is version 2 of NAME", text.substr(at + 1)));
    return std::nullopt;
  }
  const auto source = read_input(text, call.in);
  Diagnostics diagnostics(text == "-" ? "standard input" : text);
  if (!source) diagnostics.error({}, "file", source.error());
  const auto document = source ? load_playbook(*source, default_name(text), diagnostics) : std::nullopt;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) call.err << diagnostic.to_string() << '\n';
  if (!document) return std::nullopt;
  return Target{.source = *source, .file = text, .name = document->name};
}

// The workload: a file, and over it single values. A value is JSON if it reads as such, else text.
std::expected<Value, std::string> read_workload(const std::optional<std::string>& file,
                                                const std::vector<std::string>& pairs, Call& call) {
  Value workload = Value::map({});
  if (file) {
    const auto text = read_input(*file, call.in);
    if (!text) return std::unexpected(text.error());
    auto value = parse_json(*text);
    if (!value) return std::unexpected(fmt::format("{}: {}", *file, value.error().to_string()));
    if (!value->is_map()) return std::unexpected(fmt::format("{} must hold a JSON object", *file));
    workload = *std::move(value);
  }
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return std::unexpected(fmt::format("-i takes key=value, not '{}'", pair));
    }
    const std::string text = pair.substr(equals + 1);
    const auto value = parse_json(text);
    workload = workload.with(pair.substr(0, equals), value ? *value : Value(text));
  }
  return workload;
}

Answered<std::string> start(Service& service, const Target& target, const Value& workload,
                            const std::optional<std::string>& id) {
  Value version = target.version;
  if (target.source) {
    const auto registered = service.call(
        "playbooks.register",
        Value::map({{"source", *target.source}, {"file", target.file}, {"default_name", default_name(target.file)}}));
    if (!registered) return std::unexpected(registered.error());
    version = value_at(*registered, "version");
  }
  const auto started = service.call(
      "executions.start",
      Value::map(
          {{"playbook", target.name}, {"version", version}, {"input", workload}, {"id", id ? Value(*id) : Value()}}));
  if (!started) return std::unexpected(started.error());
  return text_at(*started, "execution");
}

ExitCode run_run(const Command& command, Call& call) {
  std::string what;
  std::vector<std::string> pairs;
  std::optional<std::string> input, id;
  DriveFlags flags;
  Options options(command);
  options.argument("FILE|NAME", what, "a playbook; or one that is registered, NAME@VERSION for an older version of it");
  options.options("-i", "KEY=VALUE", pairs, "a member of the workload: JSON if it reads as such, else text");
  options.option("--input", "FILE", input, "the workload as a JSON object; - is the standard input");
  options.option("--id", "ID", id, "the execution's id; the same start under the same id is not begun twice");
  flags.declare(options);
  if (auto ended = options.parse(call)) return *ended;
  if (const auto problem = flags.problem()) return refuse(call, *problem);
  const auto workload = read_workload(input, pairs, call);
  if (!workload) return refuse(call, workload.error());
  const auto target = read_target(what, call);
  if (!target) return ExitCode::usage;
  const Interrupt interrupt;
  auto session = Session::open(call, Use::drive);
  if (!session) return report(call, session.error());
  const auto execution = start((*session)->service(), *target, *workload, id);
  if (!execution) {
    const ExitCode code = report(call, execution.error());
    return code == ExitCode::failed ? ExitCode::usage : code;  // refused: there is no execution that could have failed
  }
  const ExitCode code = drive(call, **session, *execution, flags.options());
  (*session)->close();
  return code;
}

}  // namespace

const Command kRun = {"run", "start a playbook, stay with it and print its output",
                      "stepwell run examples/hello/playbook.yaml -i name=Ada", run_run};

}  // namespace stepwell::cli
