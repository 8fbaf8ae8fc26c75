#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "stepwell/base/instant.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

// One run of a step, and what it waits for: a part of the State of an execution.
namespace stepwell {

// What a run waits for.
struct OpenAttempt {
  Value inputs = {};
  Value cursor = {};
  static constexpr std::uint8_t kTag = 2;
  static constexpr void each_field(auto visit) {
    visit("inputs", &OpenAttempt::inputs);
    visit("cursor", &OpenAttempt::cursor);
  }
};
struct OpenBackoff {
  Value cursor = {};  // null: the whole attempt is tried again
  Instant at = {};
  static constexpr std::uint8_t kTag = 3;
  static constexpr void each_field(auto visit) {
    visit("cursor", &OpenBackoff::cursor);
    visit("at", &OpenBackoff::at);
  }
};
struct OpenTimer {
  Instant at = {};
  static constexpr std::uint8_t kTag = 4;
  static constexpr void each_field(auto visit) { visit("at", &OpenTimer::at); }
};
struct OpenSignal {
  static constexpr std::uint8_t kTag = 5;
  static constexpr void each_field(auto) {}
};
struct OpenTask {
  EncodedValue title = {};
  EncodedValue payload = {};
  Value assignee = {};  // null: nobody has claimed it

  std::string_view assigned_to() const { return assignee.is_text() ? assignee.as_text() : std::string_view(); }
  static constexpr std::uint8_t kTag = 6;
  static constexpr void each_field(auto visit) {
    visit("title", &OpenTask::title);
    visit("payload", &OpenTask::payload);
    visit("assignee", &OpenTask::assignee);
  }
};
struct OpenCall {
  std::string child = {};
  static constexpr std::uint8_t kTag = 7;
  static constexpr void each_field(auto visit) { visit("child", &OpenCall::child); }
};
struct OpenLoop {
  FanOutId fan_out = {};
  static constexpr std::uint8_t kTag = 8;
  static constexpr void each_field(auto visit) { visit("fan_out", &OpenLoop::fan_out); }
};
struct OpenBlock {
  ScopeId scope = {};
  static constexpr std::uint8_t kTag = 9;
  static constexpr void each_field(auto visit) { visit("scope", &OpenBlock::scope); }
};
struct ParkedFailure {
  std::shared_ptr<const RunError> error = {};
  static constexpr std::uint8_t kTag = 10;
  static constexpr void each_field(auto visit) { visit("error", &ParkedFailure::error); }
};
struct OpenBlobs {
  Shared<BlobWait> wait = {};
  static constexpr std::uint8_t kTag = 11;
  static constexpr void each_field(auto visit) { visit("wait", &OpenBlobs::wait); }
};
// Between its start and what it opens or how it ends, within one decision.
struct Deciding {
  static constexpr std::uint8_t kTag = 1;
  static constexpr void each_field(auto) {}
};

using OpenWork = std::variant<Deciding, OpenAttempt, OpenBackoff, OpenTimer, OpenSignal, OpenTask, OpenCall, OpenLoop,
                              OpenBlock, ParkedFailure, OpenBlobs>;

// Whether something outside, or time, moves a run with this work on.
inline bool is_open(const OpenWork& work) {
  return !std::holds_alternative<Deciding>(work) && !std::holds_alternative<OpenLoop>(work) &&
         !std::holds_alternative<OpenBlock>(work) && !std::holds_alternative<ParkedFailure>(work);
}

struct Run {
  RunId id = {};
  StepIndex step = 0;
  std::uint32_t ordinal = 0;  // which run of its step, from 1
  std::uint32_t attempt = 1;
  std::uint32_t offer = 1;
  TokenId token = {};
  ScopeId scope = {};
  std::optional<Instant> deadline = {};
  OpenWork work = {};
  Value child = {};  // of a call whose child has ended

  WaitingToken waiting_token() const { return {id, attempt, offer}; }
  static constexpr void each_field(auto visit) {
    visit("id", &Run::id);
    visit("step", &Run::step);
    visit("ordinal", &Run::ordinal);
    visit("attempt", &Run::attempt);
    visit("offer", &Run::offer);
    visit("token", &Run::token);
    visit("scope", &Run::scope);
    visit("deadline", &Run::deadline);
    visit("work", &Run::work);
    visit("child", &Run::child);
  }
};

}  // namespace stepwell
