#include <ostream>

#include "stepwell/base/instant.h"
#include "stepwell/cli/commands.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/session.h"
#include "stepwell/cli/table.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

std::string waits_for(const Value& row) {
  std::string wait = text_at(row, "wait");
  if (!wait.empty()) return wait;
  const Value error = value_at(row, "error");
  return error.is_null() ? "" : text_at(error, "message").substr(0, text_at(error, "message").find('\n'));
}

void print_table(Call& call, const Value& rows) {
  Table table({"EXECUTION", "PLAYBOOK", "STATUS", "STARTED", "REFERENCE", "NOTE"});
  for (const Value& row : rows.as_list()) {
    table.add({text_at(row, "execution"), text_at(row, "playbook"), text_at(row, "status"), text_at(row, "started_at"),
               text_at(row, "reference"), waits_for(row)});
  }
  table.print(call.out);
}

ExitCode run_ls(const Command& command, Call& call) {
  std::vector<std::string> statuses;
  std::optional<std::string> playbook, reference, parent, limit, after;
  Options options(command);
  options.options("--status", "STATUS", statuses,
                  "only these: running, waiting, suspended, completed, failed, partial, cancelled");
  options.option("--playbook", "NAME", playbook, "only of this playbook");
  options.option("--reference", "TEXT", reference, "only with this business reference");
  options.option("--parent", "ID", parent, "only those that this execution has called");
  options.option("--limit", "N", limit, "how many; 100 if left out");
  options.option("--after", "CURSOR", after, "go on behind the last list");
  if (auto ended = options.parse(call)) return *ended;
  const auto count = parse_json(limit.value_or("100"));
  if (!count || !count->is_int() || count->as_int() < 1) return refuse(call, "--limit takes a number from 1");
  const Value params = Value::map({{"status", Value::list({statuses.begin(), statuses.end()})},
                                   {"playbook", playbook.value_or("")},
                                   {"reference", reference.value_or("")},
                                   {"parent", parent.value_or("")},
                                   {"limit", *count},
                                   {"after", after.value_or("")}});
  const Asked asked = ask(call, Use::look, "executions.list", params);
  if (!asked.answer) return asked.code;
  const Value rows = value_at(*asked.answer, "executions");
  if (call.flags.json) {
    call.out << to_json_pretty(rows) << '\n';
  } else {
    print_table(call, rows);
  }
  const std::string next = text_at(*asked.answer, "next");
  if (!next.empty() && !call.flags.quiet) call.err << "there are more: --after " << next << '\n';
  return ExitCode::ok;
}

}  // namespace

const Command kLs = {"ls", "list executions, the one that started last first",
                     "stepwell ls --status waiting --playbook approval", run_ls};

}  // namespace stepwell::cli
