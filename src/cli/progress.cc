#include "stepwell/cli/progress.h"

#include <ostream>
#include <syncstream>

#include <fmt/format.h>

#include "stepwell/cli/event_line.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/stamp.h"

namespace stepwell::cli {

namespace {

// The command that moves on what waits for this; none if no command can.
std::string command_for(const std::string& execution, const Value& token) {
  const std::string wait = text_at(token, "wait");
  if (wait == "signal") return fmt::format("stepwell signal {} {} JSON", execution, text_at(token, "signal"));
  if (wait == "gate") return fmt::format("stepwell patch {} JSON", execution);
  if (wait == "failure") return fmt::format("stepwell retry {} {}", execution, text_at(token, "run"));
  if (wait == "child") return fmt::format("stepwell show {}", text_at(token, "child"));
  return {};
}

}  // namespace

std::vector<std::string> wait_lines(const std::string& execution, const Value& rest) {
  std::vector<std::string> lines;
  const Value tokens = value_at(rest, "tokens");
  bool parked = false;
  if (tokens.is_list()) {
    for (const Value& token : tokens.as_list()) {
      const std::string words = text_at(token, "words");
      if (words.empty()) continue;
      const std::string command = command_for(execution, token);
      parked = parked || text_at(token, "wait") == "failure";
      lines.push_back(fmt::format("'{}' waits for {}{}", text_at(token, "step"), words,
                                  command.empty() ? "" : fmt::format("; `{}`", command)));
    }
  }
  if (text_at(rest, "status") == "suspended" && !parked) {
    lines.push_back(fmt::format("it is suspended; `stepwell unsuspend {}`", execution));
  }
  return lines;
}

Progress::Progress(Call& call, std::int64_t known_version) : call_(call), known_version_(known_version) {
  if (call.terminal && !call.flags.quiet) view_ = std::make_unique<LiveView>(call.err);
}

void Progress::event(const Value& event) {
  waits_.clear();
  if (view_ != nullptr) {
    view_->model().hear(event);
    view_->draw(fresh_stamp().time, waits_);
    return;
  }
  if (call_.flags.quiet || number_at(event, "version") <= known_version_) return;
  if (call_.flags.verbose || is_telling(event)) std::osyncstream(call_.err) << event_line(event) << '\n' << std::flush;
}

void Progress::rest(const std::string& execution, const Value& rest) {
  std::vector<std::string> lines = wait_lines(execution, rest);
  if (view_ != nullptr) {
    waits_ = std::move(lines);
  } else if (!call_.flags.quiet && lines != waits_) {
    std::osyncstream err(call_.err);
    for (const std::string& line : lines) err << line << '\n';
    err << std::flush;
    waits_ = std::move(lines);
  }
}

void Progress::beat() {
  if (view_ != nullptr) view_->draw(fresh_stamp().time, waits_);
}

void Progress::finish() {
  if (view_ != nullptr) view_->finish(fresh_stamp().time, waits_);
  view_.reset();
}

}  // namespace stepwell::cli
