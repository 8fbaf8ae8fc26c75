#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stepwell/cli/command.h"
#include "stepwell/cli/live_view.h"
#include "stepwell/value/value.h"

namespace stepwell::cli {

// What an execution waits for, and the command that would move it, as far as there is one.
std::vector<std::string> wait_lines(const std::string& execution, const Value& rest);

// Shows on standard error what happens: a live view on a terminal, else a line for each event.
class Progress {
 public:
  // What has happened up to `known_version` is not new, and only the live view needs it.
  Progress(Call& call, std::int64_t known_version);

  void event(const Value& event);
  // It has come to rest, and is left there or not.
  void rest(const std::string& execution, const Value& rest);
  // Nothing has happened for a moment.
  void beat();
  // Ends the view; what is printed afterwards comes below it.
  void finish();

 private:
  Call& call_;
  const std::int64_t known_version_;
  std::unique_ptr<LiveView> view_;
  std::vector<std::string> waits_;
};

}  // namespace stepwell::cli
