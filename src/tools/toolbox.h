#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stepwell/tools/tool.h"

namespace stepwell {

// The tools of a worker by kind. Filled before the worker starts, then only read, by many threads.
class Toolbox {
 public:
  using Entry = std::variant<std::shared_ptr<Tool>, std::shared_ptr<AsyncTool>>;

  // Replaces a tool of the same kind.
  void add(std::string kind, Entry tool) { tools_.insert_or_assign(std::move(kind), std::move(tool)); }
  // A tool that is one function, for programs with kinds of their own. It may be called by many threads at once.
  void add(std::string kind, std::function<TaskOutcome(const ToolCall&)> function);

  // nullptr for a kind that nobody added.
  const Entry* find(std::string_view kind) const;
  std::vector<std::string_view> kinds() const;

 private:
  std::map<std::string, Entry, std::less<>> tools_;
};

}  // namespace stepwell
