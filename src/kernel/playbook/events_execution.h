#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/kernel/field.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/run_error.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

namespace stepwell {

// Who called this execution, if it is a child.
struct Caller {
  std::string execution = {};
  WaitingToken waiting_token = {};

  friend bool operator==(const Caller&, const Caller&) = default;
  static constexpr void each_field(auto visit) {
    visit("execution", &Caller::execution);
    visit("waiting_token", &Caller::waiting_token);
  }
};

struct WorkflowStarted {
  static constexpr std::uint8_t kTag = 1;
  static constexpr std::string_view kName = "workflow.started";
  std::string execution = {};
  std::string playbook = {};
  std::int64_t version = 0;
  Value workload = {};
  Value reference = {};
  std::optional<Caller> caller = {};
  std::uint32_t depth = 0;  // of calls
  Instant at = {};
  static constexpr void each_field(auto visit) {
    visit("execution", &WorkflowStarted::execution);
    visit("playbook", &WorkflowStarted::playbook);
    visit("version", &WorkflowStarted::version);
    visit("workload", &WorkflowStarted::workload);
    visit("reference", &WorkflowStarted::reference);
    visit("caller", &WorkflowStarted::caller);
    visit("depth", &WorkflowStarted::depth);
    visit("at", &WorkflowStarted::at);
  }
};

// The end brought about by a terminate step.
struct Termination {
  StepIndex by = 0;
  std::string reason = {};

  friend bool operator==(const Termination&, const Termination&) = default;
  static constexpr void each_field(auto visit) {
    visit("by", &Termination::by);
    visit("reason", &Termination::reason);
  }
};

// Numbers are on disk.
enum class EndStatus : std::uint8_t { completed = 1, failed = 2, partial = 3, cancelled = 4 };
constexpr bool known(EndStatus value) {
  switch (value) {
    case EndStatus::completed:
    case EndStatus::failed:
    case EndStatus::partial:
    case EndStatus::cancelled: return true;
  }
  return false;
}
std::string_view status_word(EndStatus status);

struct WorkflowEnded {
  static constexpr std::uint8_t kTag = 2;
  static constexpr std::string_view kName = "workflow.ended";
  EndStatus status = EndStatus::completed;
  EncodedValue output = {};
  std::optional<Shared<RunError>> error = {};
  std::optional<Termination> termination = {};
  std::string reason = {};  // of a cancellation
  static constexpr void each_field(auto visit) {
    visit("status", &WorkflowEnded::status);
    visit("output", &WorkflowEnded::output);
    visit("error", &WorkflowEnded::error);
    visit("termination", &WorkflowEnded::termination);
    visit("reason", &WorkflowEnded::reason);
  }
};

// A failure that nothing handled has reached the execution.
struct WorkflowFailing {
  static constexpr std::uint8_t kTag = 3;
  static constexpr std::string_view kName = "workflow.failing";
  Shared<RunError> error = {};
  static constexpr void each_field(auto visit) { visit("error", &WorkflowFailing::error); }
};

struct WorkflowSuspended {
  static constexpr std::uint8_t kTag = 4;
  static constexpr std::string_view kName = "workflow.suspended";
  std::string reason = {};
  static constexpr void each_field(auto visit) { visit("reason", &WorkflowSuspended::reason); }
};

struct WorkflowUnsuspended {
  static constexpr std::uint8_t kTag = 5;
  static constexpr std::string_view kName = "workflow.unsuspended";
  static constexpr void each_field(auto) {}
};

// Everything has come to rest: what the execution ends as, before its final step runs.
struct WorkflowFinishing {
  static constexpr std::uint8_t kTag = 6;
  static constexpr std::string_view kName = "workflow.finishing";
  EndStatus status = EndStatus::completed;
  std::optional<Shared<RunError>> error = {};
  static constexpr void each_field(auto visit) {
    visit("status", &WorkflowFinishing::status);
    visit("error", &WorkflowFinishing::error);
  }
};

// The decision met its bound: what is left is decided by the command Yield.
struct WorkflowYielded {
  static constexpr std::uint8_t kTag = 7;
  static constexpr std::string_view kName = "workflow.yielded";
  static constexpr void each_field(auto) {}
};

// A command of the outside was accepted under an id, which makes its repetition harmless.
struct CommandAccepted {
  static constexpr std::uint8_t kTag = 80;
  static constexpr std::string_view kName = "command.accepted";
  std::string id = {};
  static constexpr void each_field(auto visit) { visit("id", &CommandAccepted::id); }
};

struct WorkflowDeleted {
  static constexpr std::uint8_t kTag = 81;
  static constexpr std::string_view kName = "workflow.deleted";
  static constexpr void each_field(auto) {}
};

}  // namespace stepwell
