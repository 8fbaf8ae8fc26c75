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

struct TokenCreated {
  static constexpr std::uint8_t kTag = 10;
  static constexpr std::string_view kName = "token.created";
  TokenId token = {};
  StepIndex step = 0;
  ScopeId scope = {};
  Value args = {};
  bool past_join = false;  // the join of its step has fired
  static constexpr void each_field(auto visit) {
    visit("token", &TokenCreated::token);
    visit("step", &TokenCreated::step);
    visit("scope", &TokenCreated::scope);
    visit("args", &TokenCreated::args);
    visit("past_join", &TokenCreated::past_join);
  }
};

// The defaults that its step computes are now in its args.
struct TokenArgs {
  static constexpr std::uint8_t kTag = 11;
  static constexpr std::string_view kName = "token.args";
  TokenId token = {};
  Value args = {};
  static constexpr void each_field(auto visit) {
    visit("token", &TokenArgs::token);
    visit("args", &TokenArgs::args);
  }
};

// What a guard has read.
struct GuardRead {
  std::string path = {};
  std::optional<Value> value = {};  // none: it was not there, or is too long to be told

  friend bool operator==(const GuardRead&, const GuardRead&) = default;
  static constexpr void each_field(auto visit) {
    visit("path", &GuardRead::path);
    visit("value", &GuardRead::value);
  }
};

struct TokenGated {
  static constexpr std::uint8_t kTag = 12;
  static constexpr std::string_view kName = "token.gated";
  TokenId token = {};
  std::string missing = {};           // the member of ctx that is not there yet; empty: the guard is false
  std::vector<GuardRead> reads = {};  // what else it read, for people: the first of them, as far as they are short
  static constexpr void each_field(auto visit) {
    visit("token", &TokenGated::token);
    visit("missing", &TokenGated::missing);
    visit("reads", &TokenGated::reads);
  }
};

struct TokenDiscarded {
  static constexpr std::uint8_t kTag = 13;
  static constexpr std::string_view kName = "token.discarded";
  TokenId token = {};
  static constexpr void each_field(auto visit) { visit("token", &TokenDiscarded::token); }
};

struct TokenParked {
  static constexpr std::uint8_t kTag = 14;
  static constexpr std::string_view kName = "token.parked";
  TokenId token = {};
  static constexpr void each_field(auto visit) { visit("token", &TokenParked::token); }
};

// A run begins, and with it its first attempt.
struct StepStarted {
  static constexpr std::uint8_t kTag = 20;
  static constexpr std::string_view kName = "step.started";
  RunId run = {};
  TokenId token = {};
  StepIndex step = 0;
  std::uint32_t ordinal = 0;  // which run of its step, from 1
  std::optional<Instant> deadline = {};
  static constexpr void each_field(auto visit) {
    visit("run", &StepStarted::run);
    visit("token", &StepStarted::token);
    visit("step", &StepStarted::step);
    visit("ordinal", &StepStarted::ordinal);
    visit("deadline", &StepStarted::deadline);
  }
};

struct StepDone {
  static constexpr std::uint8_t kTag = 21;
  static constexpr std::string_view kName = "step.done";
  RunId run = {};
  EncodedValue output = {};
  static constexpr void each_field(auto visit) {
    visit("run", &StepDone::run);
    visit("output", &StepDone::output);
  }
};

struct StepFailed {
  static constexpr std::uint8_t kTag = 22;
  static constexpr std::string_view kName = "step.failed";
  RunId run = {};
  Shared<RunError> error = {};
  bool handled = false;  // by an arc of the step
  static constexpr void each_field(auto visit) {
    visit("run", &StepFailed::run);
    visit("error", &StepFailed::error);
    visit("handled", &StepFailed::handled);
  }
};

struct StepCancelled {
  static constexpr std::uint8_t kTag = 23;
  static constexpr std::string_view kName = "step.cancelled";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &StepCancelled::run); }
};

// The run failed where nothing handles it, and waits for an operator.
struct StepParked {
  static constexpr std::uint8_t kTag = 24;
  static constexpr std::string_view kName = "step.parked";
  RunId run = {};
  Shared<RunError> error = {};
  static constexpr void each_field(auto visit) {
    visit("run", &StepParked::run);
    visit("error", &StepParked::error);
  }
};

struct StepRetryScheduled {
  static constexpr std::uint8_t kTag = 25;
  static constexpr std::string_view kName = "step.retry_scheduled";
  RunId run = {};
  Shared<RunError> error = {};
  Instant at = {};
  static constexpr void each_field(auto visit) {
    visit("run", &StepRetryScheduled::run);
    visit("error", &StepRetryScheduled::error);
    visit("at", &StepRetryScheduled::at);
  }
};

// The second and every later attempt of a run.
struct AttemptStarted {
  static constexpr std::uint8_t kTag = 26;
  static constexpr std::string_view kName = "attempt.started";
  RunId run = {};
  std::optional<Instant> deadline = {};
  static constexpr void each_field(auto visit) {
    visit("run", &AttemptStarted::run);
    visit("deadline", &AttemptStarted::deadline);
  }
};

// A pipeline waits inside the attempt: it goes on at its cursor when the time has come.
struct AttemptDeferred {
  static constexpr std::uint8_t kTag = 27;
  static constexpr std::string_view kName = "attempt.deferred";
  RunId run = {};
  Value cursor = {};
  Instant at = {};
  static constexpr void each_field(auto visit) {
    visit("run", &AttemptDeferred::run);
    visit("cursor", &AttemptDeferred::cursor);
    visit("at", &AttemptDeferred::at);
  }
};

// The same attempt is offered again, under a new waiting token.
struct AttemptReoffered {
  static constexpr std::uint8_t kTag = 28;
  static constexpr std::string_view kName = "attempt.reoffered";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &AttemptReoffered::run); }
};

// What comes before the next tool in the pipeline of an attempt has been decided: a worker goes on from there.
struct AttemptAdvanced {
  static constexpr std::uint8_t kTag = 15;
  static constexpr std::string_view kName = "attempt.advanced";
  RunId run = {};
  Value cursor = {};
  static constexpr void each_field(auto visit) {
    visit("run", &AttemptAdvanced::run);
    visit("cursor", &AttemptAdvanced::cursor);
  }
};

// An operator has a parked failure tried again: its token is to be looked at anew.
struct StepRetried {
  static constexpr std::uint8_t kTag = 29;
  static constexpr std::string_view kName = "step.retried";
  RunId run = {};
  static constexpr void each_field(auto visit) { visit("run", &StepRetried::run); }
};

}  // namespace stepwell
