#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/doctor_checks.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/table.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

std::string_view verdict_word(Finding::Verdict verdict) {
  switch (verdict) {
    case Finding::Verdict::good: return "ok";
    case Finding::Verdict::odd: return "note";
    case Finding::Verdict::bad: return "BAD";
  }
  return "";
}

Value finding_value(const Finding& finding) {
  return Value::map({{"check", finding.check},
                     {"verdict", verdict_word(finding.verdict)},
                     {"found", finding.found},
                     {"advice", finding.advice}});
}

ExitCode run_doctor(const Command& command, Call& call) {
  Options options(command);
  if (auto ended = options.parse(call)) return *ended;
  const std::vector<Finding> findings = examine(call);
  if (call.flags.json) {
    std::vector<Value> values;
    values.reserve(findings.size());
    for (const Finding& finding : findings) values.push_back(finding_value(finding));
    call.out << to_json_pretty(Value::list(std::move(values))) << '\n';
  } else {
    Table table({"", "CHECK", "FOUND"});
    for (const Finding& finding : findings) {
      table.add({std::string(verdict_word(finding.verdict)), finding.check,
                 finding.advice.empty() ? finding.found : fmt::format("{}; {}", finding.found, finding.advice)});
    }
    table.print(call.out);
  }
  const bool bad =
      std::ranges::any_of(findings, [](const Finding& finding) { return finding.verdict == Finding::Verdict::bad; });
  return bad ? ExitCode::failed : ExitCode::ok;
}

}  // namespace

const Command kDoctor = {"doctor", "look at the store and the machine, and say what to do", "stepwell doctor",
                         run_doctor};

}  // namespace stepwell::cli
