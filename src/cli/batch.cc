#include "stepwell/cli/batch.h"

#include <istream>
#include <ostream>

#include "stepwell/value/json_write.h"

namespace stepwell::cli {

ExitCode answer_lines(Call& call, const std::function<LineAnswer(std::string_view line)>& answer) {
  for (std::string line; std::getline(call.in, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const LineAnswer answered = answer(line);
    // Written around the value, which may be as deep as values can be.
    call.out << (answered ? "{\"value\":" : "{\"error\":") << to_json(answered ? *answered : answered.error()) << "}\n";
  }
  return ExitCode::ok;
}

LineAnswer refusal(std::string_view code, std::string_view message) {
  return std::unexpected(Value::map({{"code", code}, {"message", message}}));
}

}  // namespace stepwell::cli
