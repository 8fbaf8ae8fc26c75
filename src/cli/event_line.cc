#include "stepwell/cli/event_line.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/cli/members.h"

namespace stepwell::cli {

namespace {

constexpr std::size_t kLongestValue = 120;

std::string cut(std::string text) {
  if (text.size() <= kLongestValue) return text;
  std::size_t end = kLongestValue;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a character
  return text.substr(0, end) + "...";
}

// "2026-01-02T12:00:01.25Z" -> "12:00:01.250"
std::string clock_of(const std::string& ts) {
  constexpr std::size_t kSeconds = 8;
  const std::size_t time = ts.find('T');
  if (time == std::string::npos) return ts;
  std::string clock = ts.substr(time + 1);
  if (clock.ends_with('Z')) clock.pop_back();
  std::string fraction = clock.size() > kSeconds ? clock.substr(kSeconds + 1) : "";
  fraction.resize(3, '0');
  return fmt::format("{}.{}", clock.substr(0, kSeconds), fraction);
}

std::string error_of(const Value& event) {
  const Value error = value_at(event, "error");
  return error.is_null() ? "" : fmt::format("{}: {}", text_at(error, "kind"), text_at(error, "message"));
}

// What else there is to say, of the members that have a place of their own in most events.
std::string detail(const Value& event) {
  const std::string type = text_at(event, "type");
  if (type == "workflow_started") {
    return fmt::format("{} version {} as {}", text_at(event, "playbook"), number_at(event, "playbook_version"),
                       text_at(event, "execution"));
  }
  if (const std::string error = error_of(event); !error.empty()) {
    const std::string at = text_at(event, "at");
    return at.empty() ? error : fmt::format("{}; again at {}", error, clock_of(at));
  }
  if (!text_at(event, "termination_reason").empty()) {
    return fmt::format("by '{}': {}", text_at(event, "terminated_by"), text_at(event, "termination_reason"));
  }
  for (const std::string_view member :
       {"output", "reason", "title", "name", "missing", "child", "how", "patch", "writes"}) {
    if (std::string text = text_at(event, member); !text.empty()) return text;
  }
  return text_at(event, "at");
}

}  // namespace

std::string event_line(const Value& event) {
  std::string who = text_at(event, "run");
  if (who.empty()) who = text_at(event, "step");
  const std::int64_t attempt = number_at(event, "attempt");
  if (attempt > 1) who += fmt::format(" attempt {}", attempt);
  std::string line = fmt::format("{}  {:<20}  {}", clock_of(text_at(event, "ts")), text_at(event, "type"), who);
  if (const std::string more = cut(detail(event)); !more.empty()) line += (who.empty() ? "" : "  ") + more;
  line.erase(line.find_last_not_of(' ') + 1);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

bool is_telling(const Value& event) {
  const std::string type = text_at(event, "type");
  if (type == "attempt_started") return number_at(event, "attempt") > 1;
  constexpr std::array kBooks = {"token_created",    "token_args",       "token_discarded",  "token_parked",
                                 "next_selected",    "command_accepted", "message_sent",     "message_delivered",
                                 "branch_opened",    "branch_settled",   "attempt_advanced", "workflow_finishing",
                                 "workflow_yielded", "workflow_failing", "block_opened",     "block_closed",
                                 "fanout_closed",    "ctx_set",          "iter_set"};
  return std::ranges::find(kBooks, type) == kBooks.end();
}

}  // namespace stepwell::cli
