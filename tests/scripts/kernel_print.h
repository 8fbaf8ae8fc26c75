#pragma once

#include <map>
#include <string>
#include <string_view>

#include "stepwell/kernel/playbook/effect.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// "arrived", "failed", ...

// Writes events and effects as scripts show them: names instead of indices, times from the start of the script.
class KernelPrinter {
 public:
  void set_definition(const Definition* definition) { definition_ = definition; }
  void set_start(Instant start) { start_ = start; }

  // "step.done            fetch#1 {"total": 3}"
  std::string line(const Event& event);
  std::string line(const Effect& effect) const;

  std::string run(RunId id) const;
  // The run that a script names so, or none.
  RunId find_run(std::string_view name) const;
  std::string time(Instant at) const;

 private:
  std::string step(StepIndex index) const { return definition_->steps[index].name; }
  std::string detail(const Event& event);
  std::string waiting(const WaitingToken& token) const;

  const Definition* definition_ = nullptr;
  Instant start_;
  std::map<RunId, std::string> runs_;
};

}  // namespace stepwell
