#pragma once

#include "stepwell/tools/tool.h"

namespace stepwell {

// Asks a PostgreSQL database. docs/reference/tools/postgres.md.
class PostgresTool final : public Tool {
 public:
  TaskOutcome run(const ToolCall& call) override;
};

}  // namespace stepwell
