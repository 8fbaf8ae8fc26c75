#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/progress.h"
#include "stepwell/cli/session.h"

namespace stepwell::cli {
namespace {

void print_view(Call& call, const Value& view) {
  const auto line = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) call.out << fmt::format("{:<11} {}\n", name, text);
  };
  line("execution", text_at(view, "execution"));
  line("playbook", fmt::format("{} version {}", text_at(view, "playbook"), number_at(view, "playbook_version")));
  line("status", text_at(view, "status"));
  line("reference", text_at(view, "reference"));
  line("parent", text_at(view, "parent"));
  line("started", text_at(view, "started_at"));
  line("ended", text_at(view, "ended_at"));
  line("version", fmt::format("{}", number_at(view, "version")));
  line("terminated", text_at(view, "terminated_by").empty() ? ""
                                                            : fmt::format("at '{}': {}", text_at(view, "terminated_by"),
                                                                          text_at(view, "termination_reason")));
  line("error", text_at(value_at(view, "error"), "message"));
  line("workload", text_at(view, "workload"));
  line("ctx", text_at(view, "ctx"));
  line("output", text_at(view, "output"));
  for (const std::string& wait : wait_lines(text_at(view, "execution"), view)) call.out << wait << '\n';
}

ExitCode run_show(const Command& command, Call& call) {
  std::string id;
  Options options(command);
  options.argument("ID", id, "the execution, or the beginning of its id");
  if (auto ended = options.parse(call)) return *ended;
  const Asked asked = ask(call, Use::look, "executions.get", Value::map({{"execution", id}}));
  if (!asked.answer) return asked.code;
  if (call.flags.json) {
    call.out << to_json_pretty(*asked.answer) << '\n';
  } else {
    print_view(call, *asked.answer);
  }
  return ExitCode::ok;
}

}  // namespace

const Command kShow = {"show", "one execution: its status, its state, and what it waits for", "stepwell show 7d1f0c52",
                       run_show};

}  // namespace stepwell::cli
