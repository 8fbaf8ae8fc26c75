#pragma once

#include "stepwell/tools/tool.h"

namespace stepwell {

// Asks an SQLite database. docs/reference/tools/sqlite.md.
class SqliteTool final : public Tool {
 public:
  TaskOutcome run(const ToolCall& call) override;
};

}  // namespace stepwell
