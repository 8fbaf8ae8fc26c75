#pragma once

#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>

#include "stepwell/tools/tool.h"
#include "stepwell/tools/used_secrets.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

// What the tests of tools share.
namespace stepwell::testing {

inline Value json(std::string_view text) { return parse_json(text).value(); }

// What a path like "headers.x-a" leads to; null if nothing is there.
inline Value at(Value value, std::string_view path) {
  while (!path.empty()) {
    const std::string_view key = path.substr(0, path.find('.'));
    const Value* found = value.find(key);
    value = found == nullptr ? Value() : Value(*found);
    path.remove_prefix(std::min(path.size(), key.size() + 1));
  }
  return value;
}

class MapSecrets final : public Secrets {
 public:
  std::map<std::string, std::string, std::less<>> known;
  std::optional<std::string> find(std::string_view name) const override {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }
};

// Long enough that only a test that hangs meets it.
inline constexpr auto kPatience = std::chrono::seconds(60);

inline TaskOutcome outcome_of(Tool& tool, const ToolCall& call) { return tool.run(call); }
inline TaskOutcome outcome_of(AsyncTool& tool, const ToolCall& call) {
  std::promise<TaskOutcome> promise;
  tool.start(call, [&](TaskOutcome outcome) { promise.set_value(std::move(outcome)); });
  auto future = promise.get_future();
  if (future.wait_for(kPatience) != std::future_status::ready) {
    ADD_FAILURE() << "the tool does not answer";
    std::abort();
  }
  return future.get();
}

// Calls one tool, and tells what it answers in JSON. Outcomes are as a worker would see them: without secrets.
template <typename Kind>
class ToolTest : public ::testing::Test {
 protected:
  ToolTest() { call_.secrets = &used_; }

  TaskOutcome run(const Value& fields) {
    call_.fields = fields;
    return used_.redacted(outcome_of(tool(), call_));
  }
  TaskOutcome run(const char* fields) { return run(json(fields)); }
  TaskOutcome run(const std::string& fields) { return run(json(fields)); }
  // The result, or "class kind: message".
  std::string answer(const auto& fields) { return told(run(fields)); }
  static std::string told(const TaskOutcome& outcome) {
    if (outcome.ok) return to_json(outcome.result);
    auto text = [&](std::string_view key) { return std::string(outcome.error.find(key)->as_text()); };
    return text("class") + " " + text("kind") + ": " + text("message");
  }
  // The same, cancelled as soon as the tool has shown a sign of life.
  TaskOutcome run_and_cancel(const Value& fields) {
    std::stop_source source;
    call_.stop = source.get_token();
    call_.progress = [&](std::string_view) { source.request_stop(); };
    return run(fields);
  }
  void deadline_in(std::chrono::milliseconds time) { call_.deadline = std::chrono::steady_clock::now() + time; }

  // Made when it is first asked for, unless the test has made one itself.
  Kind& tool() {
    if constexpr (std::is_default_constructible_v<Kind>) {
      if (!tool_) tool_ = std::make_shared<Kind>();
    }
    return *tool_;
  }

  MapSecrets secrets_;
  UsedSecrets used_{secrets_};
  ToolCall call_{.kind = "tool", .idempotency_key = "key-1"};
  std::shared_ptr<Kind> tool_;
};

}  // namespace stepwell::testing
