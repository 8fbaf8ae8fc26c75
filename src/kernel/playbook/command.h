#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stepwell/kernel/field.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/patches.h"
#include "stepwell/kernel/playbook/run_error.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

// What the kernel decides on. Tags are on disk.
namespace stepwell {

struct Start {
  static constexpr std::uint8_t kTag = 1;
  static constexpr std::string_view kName = "start";
  std::string execution = {};
  std::int64_t version = 0;
  Value workload = {};
  std::optional<Caller> caller = {};
  std::uint32_t depth = 0;
  Value reference = {};  // of the caller, for a playbook that has none of its own
  static constexpr void each_field(auto visit) {
    visit("execution", &Start::execution);
    visit("version", &Start::version);
    visit("workload", &Start::workload);
    visit("caller", &Start::caller);
    visit("depth", &Start::depth);
    visit("reference", &Start::reference);
  }
};

// Numbers are on disk.
enum class Outcome : std::uint8_t { done = 1, failed = 2, deferred = 3 };
constexpr bool known(Outcome value) {
  switch (value) {
    case Outcome::done:
    case Outcome::failed:
    case Outcome::deferred: return true;
  }
  return false;
}

// How an attempt ended.
struct ReportAttempt {
  static constexpr std::uint8_t kTag = 2;
  static constexpr std::string_view kName = "report";
  WaitingToken waiting_token = {};
  Outcome outcome = Outcome::done;
  EncodedValue output = {};                    // done
  std::optional<Shared<RunError>> error = {};  // failed
  Patches patches = {};                        // done
  Value cursor = {};                           // deferred: where the pipeline goes on ...
  Duration delay = {};                         // ... and after how long
  static constexpr void each_field(auto visit) {
    visit("waiting_token", &ReportAttempt::waiting_token);
    visit("outcome", &ReportAttempt::outcome);
    visit("output", &ReportAttempt::output);
    visit("error", &ReportAttempt::error);
    visit("patches", &ReportAttempt::patches);
    visit("cursor", &ReportAttempt::cursor);
    visit("delay", &ReportAttempt::delay);
  }
};

// Time has passed: the stamp tells how far.
struct Wake {
  static constexpr std::uint8_t kTag = 3;
  static constexpr std::string_view kName = "wake";
  static constexpr void each_field(auto) {}
};

struct Yield {
  static constexpr std::uint8_t kTag = 4;
  static constexpr std::string_view kName = "yield";
  static constexpr void each_field(auto) {}
};

struct Signal {
  static constexpr std::uint8_t kTag = 5;
  static constexpr std::string_view kName = "signal";
  std::string name = {};
  EncodedValue payload = {};
  static constexpr void each_field(auto visit) {
    visit("name", &Signal::name);
    visit("payload", &Signal::payload);
  }
};

struct PatchCtx {
  static constexpr std::uint8_t kTag = 6;
  static constexpr std::string_view kName = "patch";
  Value patch = {};
  static constexpr void each_field(auto visit) { visit("patch", &PatchCtx::patch); }
};

// Who asks something of a human task.
struct Person {
  std::string name = {};
  std::vector<std::string> roles = {};
  bool operator_rights = false;

  friend bool operator==(const Person&, const Person&) = default;
  static constexpr void each_field(auto visit) {
    visit("name", &Person::name);
    visit("roles", &Person::roles);
    visit("operator", &Person::operator_rights);
  }
};

struct ClaimTask {
  static constexpr std::uint8_t kTag = 7;
  static constexpr std::string_view kName = "claim";
  RunId run = {};
  Person person = {};
  static constexpr void each_field(auto visit) {
    visit("run", &ClaimTask::run);
    visit("person", &ClaimTask::person);
  }
};

struct AssignTask {
  static constexpr std::uint8_t kTag = 8;
  static constexpr std::string_view kName = "assign";
  RunId run = {};
  std::string assignee = {};
  Person person = {};
  static constexpr void each_field(auto visit) {
    visit("run", &AssignTask::run);
    visit("assignee", &AssignTask::assignee);
    visit("person", &AssignTask::person);
  }
};

struct ReleaseTask {
  static constexpr std::uint8_t kTag = 9;
  static constexpr std::string_view kName = "release";
  RunId run = {};
  Person person = {};
  static constexpr void each_field(auto visit) {
    visit("run", &ReleaseTask::run);
    visit("person", &ReleaseTask::person);
  }
};

struct CompleteTask {
  static constexpr std::uint8_t kTag = 10;
  static constexpr std::string_view kName = "complete";
  WaitingToken waiting_token = {};
  Value answer = {};
  Value option = {};
  Person person = {};
  static constexpr void each_field(auto visit) {
    visit("waiting_token", &CompleteTask::waiting_token);
    visit("answer", &CompleteTask::answer);
    visit("option", &CompleteTask::option);
    visit("person", &CompleteTask::person);
  }
};

struct Cancel {
  static constexpr std::uint8_t kTag = 11;
  static constexpr std::string_view kName = "cancel";
  std::string reason = {};
  static constexpr void each_field(auto visit) { visit("reason", &Cancel::reason); }
};

struct Suspend {
  static constexpr std::uint8_t kTag = 12;
  static constexpr std::string_view kName = "suspend";
  std::string reason = {};
  static constexpr void each_field(auto visit) { visit("reason", &Suspend::reason); }
};

struct Unsuspend {
  static constexpr std::uint8_t kTag = 13;
  static constexpr std::string_view kName = "unsuspend";
  static constexpr void each_field(auto) {}
};

// A fresh run by the token of a parked failure.
struct RetryRun {
  static constexpr std::uint8_t kTag = 14;
  static constexpr std::string_view kName = "retry";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &RetryRun::run); }
};

// A parked failure is taken as done with this output.
struct SkipRun {
  static constexpr std::uint8_t kTag = 15;
  static constexpr std::string_view kName = "skip";
  RunId run = {};
  EncodedValue output = {};
  static constexpr void each_field(auto visit) {
    visit("run", &SkipRun::run);
    visit("output", &SkipRun::output);
  }
};

// The called execution has ended, or was refused.
struct ReportChild {
  static constexpr std::uint8_t kTag = 16;
  static constexpr std::string_view kName = "child";
  WaitingToken waiting_token = {};
  EncodedValue output = {};
  Value child = {};  // {execution, version, status, reason, terminated_by, error}; status "refused" if it never started
  static constexpr void each_field(auto visit) {
    visit("waiting_token", &ReportChild::waiting_token);
    visit("output", &ReportChild::output);
    visit("child", &ReportChild::child);
  }
};

// The receiver of a message has it.
struct Delivered {
  static constexpr std::uint8_t kTag = 17;
  static constexpr std::string_view kName = "delivered";
  MessageId message = {};
  static constexpr void each_field(auto visit) { visit("message", &Delivered::message); }
};

// The worker that held an attempt is gone.
struct Reoffer {
  static constexpr std::uint8_t kTag = 18;
  static constexpr std::string_view kName = "reoffer";
  WaitingToken waiting_token = {};
  static constexpr void each_field(auto visit) { visit("waiting_token", &Reoffer::waiting_token); }
};

struct Delete {
  static constexpr std::uint8_t kTag = 19;
  static constexpr std::string_view kName = "delete";
  static constexpr void each_field(auto) {}
};

// The blobs that a run waits for are at hand.
struct BlobsLoaded {
  static constexpr std::uint8_t kTag = 20;
  static constexpr std::string_view kName = "loaded";
  WaitingToken waiting_token = {};
  static constexpr void each_field(auto visit) { visit("waiting_token", &BlobsLoaded::waiting_token); }
};

using CommandBody =
    std::variant<Start, ReportAttempt, Wake, Yield, Signal, PatchCtx, ClaimTask, AssignTask, ReleaseTask, CompleteTask,
                 Cancel, Suspend, Unsuspend, RetryRun, SkipRun, ReportChild, Delivered, Reoffer, Delete, BlobsLoaded>;

struct Command {
  CommandBody body = {};
  std::string id = {};                                 // makes a repetition harmless; empty: has none
  std::optional<std::uint64_t> expected_version = {};  // refused unless the state has it
  static constexpr void each_field(auto visit) {
    visit("body", &Command::body);
    visit("id", &Command::id);
    visit("expected_version", &Command::expected_version);
  }
};

// Why a command was refused. Nothing has changed.
enum class RefusalCode : std::uint8_t {
  stale,             // a report under a waiting token that is not current, or for an ended execution
  repeated,          // this command id was accepted before: not an error for who sent it
  version_conflict,  // expected_version is not the version
  id_conflict,       // a start under an id that another start has
  invalid,           // an input does not fit its schema or shape
  not_allowed,       // the asker may not, or not now
  not_found,         // no such run, task or message
  ended,             // the execution has ended
  needs_blob,        // the decision must look into a blob that is not at hand: load it and send the command again
};

struct Refusal {
  RefusalCode code = RefusalCode::invalid;
  std::string message = {};
};

}  // namespace stepwell
