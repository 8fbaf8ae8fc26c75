#pragma once

#include "stepwell/tools/tool.h"

namespace stepwell {

// Runs a command: `cmd` for /bin/sh, or a list of arguments. docs/reference/tools/shell.md.
class ShellTool final : public Tool {
 public:
  TaskOutcome run(const ToolCall& call) override;
};

}  // namespace stepwell
