#include "stepwell/cli/live_view.h"

#include <algorithm>
#include <ostream>
#include <syncstream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "stepwell/cli/members.h"

namespace stepwell::cli {

namespace {

constexpr Duration kBetweenDrawings = Duration::micros(100'000);
constexpr std::int64_t kSecond = 1'000'000;
constexpr std::size_t kNameWidth = 24;

std::optional<Instant> instant_at(const Value& event, std::string_view member) {
  const auto at = Instant::parse(text_at(event, member));
  return at ? std::optional(*at) : std::nullopt;
}

// "1:05", "2:03:04"
std::string clock_text(Duration duration) {
  const std::int64_t seconds = std::max<std::int64_t>(duration.micros(), 0) / kSecond;
  const std::int64_t minutes = seconds / 60;
  return minutes < 60 ? fmt::format("{}:{:02}", minutes, seconds % 60)
                      : fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, seconds % 60);
}

std::int64_t parts_of(const Value& event) {
  if (const Value* items = event.find("items"); items != nullptr && items->is_list()) {
    return static_cast<std::int64_t>(items->as_list().size());
  }
  std::int64_t total = 0;
  const Value legs = value_at(event, "legs");
  if (!legs.is_list()) return 0;
  for (const Value& leg : legs.as_list()) {
    const Value* items = leg.find("items");
    total += items != nullptr && items->is_list() ? static_cast<std::int64_t>(items->as_list().size()) : 1;
  }
  return total;
}

// The first so many characters.
std::string cut_to(const std::string& text, std::size_t width) {
  std::size_t bytes = 0;
  for (std::size_t characters = 0; bytes < text.size() && characters < width; ++characters) {
    do ++bytes;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U);
  }
  return text.substr(0, bytes);
}

}  // namespace

LiveModel::StepLine& LiveModel::step(const std::string& name) {
  const auto [place, added] = places_.try_emplace(name, steps_.size());
  if (added) steps_.push_back({.name = name});
  return steps_[place->second];
}

void LiveModel::hear(const Value& event) {
  const std::string type = text_at(event, "type");
  if (type == "workflow_started") {
    playbook_ = text_at(event, "playbook");
    execution_ = text_at(event, "execution");
    started_ = instant_at(event, "ts");
  }
  for (const std::string_view end : {"completed", "failed", "partial", "cancelled"}) {
    if (type != "workflow_" + std::string(end)) continue;
    status_ = end;
    ended_ = instant_at(event, "ts");
  }
  if (type == "workflow_suspended") status_ = "suspended";
  if (type == "workflow_unsuspended") status_ = "running";
  count_parts(event, type);
  if (const std::string name = text_at(event, "step"); !name.empty() && event.find("run") != nullptr) {
    count_runs(step(name), type, event);
  }
}

void LiveModel::count_parts(const Value& event, const std::string& type) {
  const std::int64_t fan_out = number_at(event, "fan_out");
  if (type == "fanout_opened" || type == "loop_opened") {
    StepLine& line = step(text_at(event, "step"));
    fan_outs_[fan_out] = places_.at(line.name);
    line.parts += parts_of(event);
  } else if (type == "branch_opened") {
    fan_out_of_[number_at(event, "scope")] = fan_out;
  } else if (type == "branch_settled") {
    const auto found = fan_out_of_.find(number_at(event, "scope"));
    if (found == fan_out_of_.end()) return;
    if (const auto place = fan_outs_.find(found->second); place != fan_outs_.end()) {
      ++steps_[place->second].parts_settled;
    }
    fan_out_of_.erase(found);
  }
}

void LiveModel::count_runs(StepLine& line, const std::string& type, const Value& event) {
  if (type == "step_started") ++line.running;
  if (type == "attempt_started") line.attempt = number_at(event, "attempt");
  if (type == "attempt_started" || type == "attempt_resumed") line.note.clear(), line.at.reset();
  if (type == "step_done") --line.running, ++line.done;
  if (type == "step_failed") --line.running, ++line.failed;
  if (type == "step_cancelled") --line.running, ++line.cancelled;
  if (type == "timer_started" || type == "attempt_deferred") line.at = instant_at(event, "at");
  if (type == "step_retry_scheduled") {
    line.at = instant_at(event, "at");
    line.note = text_at(value_at(event, "error"), "message");
  }
  if (type == "step_parked" || type == "step_failed") line.note = text_at(value_at(event, "error"), "message");
  if (type == "signal_awaited") line.note = "waits for a signal";
  if (type == "task_created") line.note = "waits for a person";
  if (type == "step_done" || type == "step_failed" || type == "step_cancelled") line.at.reset();
  if (type == "step_done") line.note.clear();
}

std::string LiveModel::line_of(const StepLine& line, Instant now) {
  const std::string_view mark = line.running > 0  ? (line.at ? "~" : ">")
                                : line.failed > 0 ? "x"
                                : line.done > 0   ? "+"
                                                  : "-";
  std::string text = fmt::format("{} {:<{}}", mark, line.name, kNameWidth);
  if (line.parts > 0) text += fmt::format("  {}/{}", line.parts_settled, line.parts);
  const std::int64_t runs = line.running + line.done + line.failed + line.cancelled;
  if (runs > 1) text += fmt::format("  {} running, {} done", line.running, line.done);
  if (runs > 1 && line.failed > 0) text += fmt::format(", {} failed", line.failed);
  if (line.attempt > 1) text += fmt::format("  attempt {}", line.attempt);
  if (line.at && line.running > 0) text += fmt::format("  in {}", clock_text(*line.at - now));
  if (!line.note.empty()) text += "  " + line.note;
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::vector<std::string> LiveModel::lines(Instant now, std::size_t width, std::size_t most) const {
  std::vector<std::string> all = {fmt::format("{}  {}  {}  {}", playbook_, execution_, status_,
                                              started_ ? clock_text(ended_.value_or(now) - *started_) : "")};
  // Those that run, and then those that began last; in the order in which they began.
  const std::size_t room = most > 1 ? most - 1 : 0;
  std::vector<std::size_t> shown(steps_.size());
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
  if (shown.size() > room) {
    std::ranges::stable_sort(shown, [&](std::size_t a, std::size_t b) {
      const bool runs_a = steps_[a].running > 0;
      const bool runs_b = steps_[b].running > 0;
      return runs_a != runs_b ? runs_a : a > b;
    });
    shown.resize(room);
    std::ranges::sort(shown);
  }
  for (const std::size_t i : shown) all.push_back(line_of(steps_[i], now));
  for (std::string& line : all) line = cut_to(line, width);
  return all;
}

LiveView::LiveView(std::ostream& out) : out_(out) { out_ << "\033[?25l" << std::flush; }
LiveView::~LiveView() { out_ << "\033[?25h" << std::flush; }

void LiveView::draw(Instant now, const std::vector<std::string>& footer) {
  if (drawn_at_ && now - *drawn_at_ < kBetweenDrawings) return;
  redraw(now, footer);
}

void LiveView::finish(Instant now, const std::vector<std::string>& footer) { redraw(now, footer); }

void LiveView::redraw(Instant now, const std::vector<std::string>& footer) {
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  winsize real = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &real) == 0 && real.ws_row > 0 && real.ws_col > 0) size = real;
  const std::size_t rows = size.ws_row > footer.size() + 1 ? size.ws_row - footer.size() - 1 : 1;
  std::vector<std::string> lines = model_.lines(now, size.ws_col, rows);
  for (const std::string& line : footer) lines.push_back(cut_to(line, size.ws_col));
  std::string text = drawn_ > 0 ? fmt::format("\033[{}A\033[J", drawn_) : "";
  for (const std::string& line : lines) text += line + "\n";
  std::osyncstream(out_) << text << std::flush;
  drawn_ = lines.size();
  drawn_at_ = now;
}

}  // namespace stepwell::cli
