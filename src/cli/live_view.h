#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/value/value.h"

namespace stepwell::cli {

// What a live view knows of an execution, from its events: a line for each step that has begun, in that order. No
// terminal is needed for it.
class LiveModel {
 public:
  void hear(const Value& event);
  // What is shown at this moment, at most `most` lines of at most `width` characters: the head, and those steps that
  // matter most now.
  std::vector<std::string> lines(Instant now, std::size_t width, std::size_t most) const;

 private:
  struct StepLine {
    std::string name;
    std::int64_t running = 0, done = 0, failed = 0, cancelled = 0;
    std::int64_t attempt = 0;
    std::int64_t parts = 0, parts_settled = 0;  // branches or iterations
    std::optional<Instant> at = {};             // a timer, or the next attempt
    std::string note = {};
  };

  StepLine& step(const std::string& name);
  void count_parts(const Value& event, const std::string& type);
  void count_runs(StepLine& line, const std::string& type, const Value& event);
  static std::string line_of(const StepLine& line, Instant now);

  std::string playbook_, execution_, status_ = "running";
  std::optional<Instant> started_, ended_;
  std::vector<StepLine> steps_;
  std::map<std::string, std::size_t> places_;        // of steps, by name
  std::map<std::int64_t, std::size_t> fan_outs_;     // places of steps, by fan-out
  std::map<std::int64_t, std::int64_t> fan_out_of_;  // by scope
};

// Draws a live model at the bottom of a terminal, over what it drew before. The cursor is hidden while it lives.
class LiveView {
 public:
  explicit LiveView(std::ostream& out);
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  LiveModel& model() { return model_; }
  // Draws, unless it has just been done: ten times a second is enough. `footer` comes below.
  void draw(Instant now, const std::vector<std::string>& footer);
  // Draws a last time and leaves it there.
  void finish(Instant now, const std::vector<std::string>& footer);

 private:
  void redraw(Instant now, const std::vector<std::string>& footer);

  std::ostream& out_;
  LiveModel model_;
  std::size_t drawn_ = 0;  // lines
  std::optional<Instant> drawn_at_;
};

}  // namespace stepwell::cli
