#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/kernel/field.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/patches.h"
#include "stepwell/kernel/playbook/run_error.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

namespace stepwell {

struct TimerStarted {
  static constexpr std::uint8_t kTag = 50;
  static constexpr std::string_view kName = "timer.started";
  RunId run = {};
  Instant at = {};
  static constexpr void each_field(auto visit) {
    visit("run", &TimerStarted::run);
    visit("at", &TimerStarted::at);
  }
};

struct SignalReceived {
  static constexpr std::uint8_t kTag = 51;
  static constexpr std::string_view kName = "signal.received";
  std::string id = {};
  std::string name = {};
  EncodedValue payload = {};
  Instant at = {};
  static constexpr void each_field(auto visit) {
    visit("id", &SignalReceived::id);
    visit("name", &SignalReceived::name);
    visit("payload", &SignalReceived::payload);
    visit("at", &SignalReceived::at);
  }
};

// A run waits for a signal of its step's name.
struct SignalAwaited {
  static constexpr std::uint8_t kTag = 52;
  static constexpr std::string_view kName = "signal.awaited";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &SignalAwaited::run); }
};

// A buffered signal has found its wait.
struct SignalTaken {
  static constexpr std::uint8_t kTag = 53;
  static constexpr std::string_view kName = "signal.taken";
  std::string id = {};
  RunId run = {};
  static constexpr void each_field(auto visit) {
    visit("id", &SignalTaken::id);
    visit("run", &SignalTaken::run);
  }
};

// A wait's `match` failed on a signal, which counts as no match.
struct SignalMismatched {
  static constexpr std::uint8_t kTag = 54;
  static constexpr std::string_view kName = "signal.mismatched";
  std::string id = {};
  RunId run = {};
  std::string message = {};
  static constexpr void each_field(auto visit) {
    visit("id", &SignalMismatched::id);
    visit("run", &SignalMismatched::run);
    visit("message", &SignalMismatched::message);
  }
};

struct TaskCreated {
  static constexpr std::uint8_t kTag = 60;
  static constexpr std::string_view kName = "task.created";
  RunId run = {};
  Value title = {};
  Value payload = {};
  static constexpr void each_field(auto visit) {
    visit("run", &TaskCreated::run);
    visit("title", &TaskCreated::title);
    visit("payload", &TaskCreated::payload);
  }
};

struct TaskAssigned {
  static constexpr std::uint8_t kTag = 61;
  static constexpr std::string_view kName = "task.assigned";
  RunId run = {};
  std::string assignee = {};
  static constexpr void each_field(auto visit) {
    visit("run", &TaskAssigned::run);
    visit("assignee", &TaskAssigned::assignee);
  }
};

struct TaskReleased {
  static constexpr std::uint8_t kTag = 62;
  static constexpr std::string_view kName = "task.released";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &TaskReleased::run); }
};

struct TaskCompleted {
  static constexpr std::uint8_t kTag = 63;
  static constexpr std::string_view kName = "task.completed";
  RunId run = {};
  std::string by = {};
  static constexpr void each_field(auto visit) {
    visit("run", &TaskCompleted::run);
    visit("by", &TaskCompleted::by);
  }
};

struct TaskCancelled {
  static constexpr std::uint8_t kTag = 65;
  static constexpr std::string_view kName = "task.cancelled";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &TaskCancelled::run); }
};

struct TaskExpired {
  static constexpr std::uint8_t kTag = 64;
  static constexpr std::string_view kName = "task.expired";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &TaskExpired::run); }
};

// Numbers are on disk.
enum class MessageKind : std::uint8_t {
  start_child = 1,
  cancel_child = 2,
  child_ended = 3,
  start_independent = 4,
  emit = 5
};
constexpr bool known(MessageKind value) {
  switch (value) {
    case MessageKind::start_child:
    case MessageKind::cancel_child:
    case MessageKind::child_ended:
    case MessageKind::start_independent:
    case MessageKind::emit: return true;
  }
  return false;
}

// Something to tell another execution; it stays in the outbox until the receiver has it.
struct MessageSent {
  static constexpr std::uint8_t kTag = 70;
  static constexpr std::string_view kName = "message.sent";
  MessageId message = {};
  MessageKind kind = MessageKind::start_child;
  RunId run = {};       // whose it is; none for child_ended
  std::string to = {};  // an execution
  Value content = {};
  static constexpr void each_field(auto visit) {
    visit("message", &MessageSent::message);
    visit("kind", &MessageSent::kind);
    visit("run", &MessageSent::run);
    visit("to", &MessageSent::to);
    visit("content", &MessageSent::content);
  }
};

struct MessageDelivered {
  static constexpr std::uint8_t kTag = 71;
  static constexpr std::string_view kName = "message.delivered";
  MessageId message = {};
  static constexpr void each_field(auto visit) { visit("message", &MessageDelivered::message); }
};

// What became of a called child, before its step ends.
struct ChildEnded {
  static constexpr std::uint8_t kTag = 72;
  static constexpr std::string_view kName = "child.ended";
  RunId run = {};
  Value child = {};  // {execution, version, status, reason, terminated_by, error}
  static constexpr void each_field(auto visit) {
    visit("run", &ChildEnded::run);
    visit("child", &ChildEnded::child);
  }
};

// How a run came out that waits for blobs: with neither output nor error it is a loop that is to open.
struct BlobWait {
  std::vector<std::string> blobs = {};      // "sha256:..."
  std::optional<EncodedValue> output = {};  // done
  Patches patches = {};
  std::optional<RunError> error = {};  // failed

  friend bool operator==(const BlobWait&, const BlobWait&) = default;
  static constexpr void each_field(auto visit) {
    visit("blobs", &BlobWait::blobs);
    visit("output", &BlobWait::output);
    visit("patches", &BlobWait::patches);
    visit("error", &BlobWait::error);
  }
};

// What a run goes on to must be found in blobs: it waits until they are at hand.
struct BlobsAwaited {
  static constexpr std::uint8_t kTag = 55;
  static constexpr std::string_view kName = "blobs.awaited";
  RunId run = {};
  Shared<BlobWait> wait = {};
  static constexpr void each_field(auto visit) {
    visit("run", &BlobsAwaited::run);
    visit("wait", &BlobsAwaited::wait);
  }
};

}  // namespace stepwell
