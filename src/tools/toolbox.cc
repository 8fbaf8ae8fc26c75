#include "stepwell/tools/toolbox.h"

#include <utility>

namespace stepwell {
namespace {

class FunctionTool final : public Tool {
 public:
  explicit FunctionTool(std::function<TaskOutcome(const ToolCall&)> function) : function_(std::move(function)) {}
  TaskOutcome run(const ToolCall& call) override { return function_(call); }

 private:
  std::function<TaskOutcome(const ToolCall&)> function_;
};

}  // namespace

void Toolbox::add(std::string kind, std::function<TaskOutcome(const ToolCall&)> function) {
  add(std::move(kind), Entry(std::make_shared<FunctionTool>(std::move(function))));
}

const Toolbox::Entry* Toolbox::find(std::string_view kind) const {
  const auto found = tools_.find(kind);
  return found == tools_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> Toolbox::kinds() const {
  std::vector<std::string_view> all;
  all.reserve(tools_.size());
  for (const auto& [kind, tool] : tools_) all.push_back(kind);
  return all;
}

}  // namespace stepwell
