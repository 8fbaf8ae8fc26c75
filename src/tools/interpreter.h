#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "stepwell/tools/tool.h"

namespace stepwell {

// A language whose programs run in a process of their own: they get `args`, and what they return is the result.
// docs/reference/tools/python.md, docs/reference/tools/node.md.
class InterpreterTool final : public Tool {
 public:
  // `program` is looked up in PATH at every call. `starter` is what it is given to run: it reads {code?, file?, args}
  // as JSON from its standard input and writes {"value": ...} or {"error": text} to descriptor 3.
  InterpreterTool(std::string program, std::string option, std::string_view starter)
      : program_(std::move(program)), option_(std::move(option)), starter_(starter) {}

  TaskOutcome run(const ToolCall& call) override;

 private:
  TaskOutcome answered(std::string_view answer) const;

  std::string program_;
  std::string option_;
  std::string starter_;
};

std::shared_ptr<Tool> make_python_tool();
std::shared_ptr<Tool> make_node_tool();

}  // namespace stepwell
