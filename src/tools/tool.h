#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "stepwell/model/pipeline.h"
#include "stepwell/tools/limits.h"
#include "stepwell/value/value.h"

// What runs a task of a pipeline. How one came out is a TaskOutcome; tool_error.h makes those that failed.
namespace stepwell {

class UsedSecrets;

// Tools wait for processes and sockets, so their deadlines are the machine's own time.
using ToolTime = std::chrono::steady_clock::time_point;

// One call of a tool.
struct ToolCall {
  std::string kind = {};
  Value fields = {};  // rendered: a map. References to blobs have been resolved
  std::string execution = {};
  std::string label = {};
  // The same for every attempt at the same task of the same run: what makes a repeated call harmless.
  std::string idempotency_key = {};
  std::optional<ToolTime> deadline = {};
  // Nobody waits for the outcome any more: the tool ends as soon as it can, and whatever it answers is dropped.
  std::stop_token stop = {};
  // Takes text that the tool puts out while it runs, for people to see. May be empty; called from any thread of the
  // tool, one at a time.
  std::function<void(std::string_view text)> progress = {};
  // Never null during a call. What is found here will not be seen in the outcome, whatever the tool answers.
  const UsedSecrets* secrets = nullptr;
  // How large the result may be.
  std::size_t result_bytes = limits::kResultBytes;
};

// A tool that keeps its thread until it has an outcome. One object serves many calls at once.
class Tool {
 public:
  Tool() = default;
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;
  virtual ~Tool() = default;

  virtual TaskOutcome run(const ToolCall& call) = 0;
};

// A tool with threads of its own, for calls that mostly wait for a network.
class AsyncTool {
 public:
  using Done = std::function<void(TaskOutcome)>;

  AsyncTool() = default;
  AsyncTool(const AsyncTool&) = delete;
  AsyncTool& operator=(const AsyncTool&) = delete;
  // Ends all calls that are open, and tells each.
  virtual ~AsyncTool() = default;

  // Returns at once. `done` is called exactly once, from a thread of the tool or from inside start; it must not wait.
  virtual void start(ToolCall call, Done done) = 0;
};

}  // namespace stepwell
