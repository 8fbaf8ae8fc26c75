#pragma once

#include <cstddef>

#include "stepwell/tools/limits.h"
#include "stepwell/tools/tool.h"

namespace stepwell {

struct LuaLimits {
  unsigned long long instructions = limits::kLuaInstructions;
  std::size_t bytes = limits::kLuaBytes;
};

// Runs a script in a Lua of its own that can reach nothing outside, with `args` as a global; what it returns is the
// result. docs/reference/tools/lua.md.
class LuaTool final : public Tool {
 public:
  explicit LuaTool(LuaLimits limits = {}) : limits_(limits) {}
  TaskOutcome run(const ToolCall& call) override;

 private:
  LuaLimits limits_;
};

}  // namespace stepwell
