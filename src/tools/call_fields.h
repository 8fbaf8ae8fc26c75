#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/base/duration.h"
#include "stepwell/tools/tool.h"

namespace stepwell {

// Reads the rendered fields of a call. What was written out in a playbook fits already; what an expression gave is
// checked here. A field that does not fit, or is needed and not there, reads as empty and makes `wrong` answer.
// Borrows the call.
class CallFields {
 public:
  explicit CallFields(const ToolCall& call) : call_(call) {}

  // nullptr for a field that is not there, or null.
  const Value* find(std::string_view name) const;

  std::string_view text(std::string_view name);           // needed
  std::string_view optional_text(std::string_view name);  // empty if not there
  bool boolean(std::string_view name, bool otherwise);
  std::optional<Duration> duration(std::string_view name);
  // Each member as text: numbers and booleans as JSON writes them. null is left out.
  std::vector<std::pair<std::string, std::string>> texts(std::string_view name);
  // An empty map or list if not there.
  Value map(std::string_view name);
  Value list(std::string_view name);

  void refuse(std::string_view name, std::string_view must);
  // The outcome of a call with a field that does not fit.
  std::optional<TaskOutcome> wrong() const;

 private:
  const ToolCall& call_;
  std::string wrong_;
};

// The earlier of the call's deadline and `timeout` from now.
std::optional<ToolTime> deadline_of(const ToolCall& call, std::optional<Duration> timeout);

}  // namespace stepwell
