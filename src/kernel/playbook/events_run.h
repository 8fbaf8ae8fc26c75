#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
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
  static constexpr auto kFields = std::tuple(Field("token", &TokenCreated::token), Field("step", &TokenCreated::step),
                                             Field("scope", &TokenCreated::scope), Field("args", &TokenCreated::args),
                                             Field("past_join", &TokenCreated::past_join));
};

// The defaults that its step computes are now in its args.
struct TokenArgs {
  static constexpr std::uint8_t kTag = 11;
  static constexpr std::string_view kName = "token.args";
  TokenId token = {};
  Value args = {};
  static constexpr auto kFields = std::tuple(Field("token", &TokenArgs::token), Field("args", &TokenArgs::args));
};

// What a guard has read.
struct GuardRead {
  std::string path = {};
  std::optional<Value> value = {};  // none: it was not there, or is too long to be told

  friend bool operator==(const GuardRead&, const GuardRead&) = default;
  static constexpr auto kFields = std::tuple(Field("path", &GuardRead::path), Field("value", &GuardRead::value));
};

struct TokenGated {
  static constexpr std::uint8_t kTag = 12;
  static constexpr std::string_view kName = "token.gated";
  TokenId token = {};
  std::string missing = {};           // the member of ctx that is not there yet; empty: the guard is false
  std::vector<GuardRead> reads = {};  // what else it read, for people: the first of them, as far as they are short
  static constexpr auto kFields = std::tuple(Field("token", &TokenGated::token), Field("missing", &TokenGated::missing),
                                             Field("reads", &TokenGated::reads));
};

struct TokenDiscarded {
  static constexpr std::uint8_t kTag = 13;
  static constexpr std::string_view kName = "token.discarded";
  TokenId token = {};
  static constexpr auto kFields = std::tuple(Field("token", &TokenDiscarded::token));
};

struct TokenParked {
  static constexpr std::uint8_t kTag = 14;
  static constexpr std::string_view kName = "token.parked";
  TokenId token = {};
  static constexpr auto kFields = std::tuple(Field("token", &TokenParked::token));
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
  static constexpr auto kFields = std::tuple(Field("run", &StepStarted::run), Field("token", &StepStarted::token),
                                             Field("step", &StepStarted::step), Field("ordinal", &StepStarted::ordinal),
                                             Field("deadline", &StepStarted::deadline));
};

struct StepDone {
  static constexpr std::uint8_t kTag = 21;
  static constexpr std::string_view kName = "step.done";
  RunId run = {};
  EncodedValue output = {};
  static constexpr auto kFields = std::tuple(Field("run", &StepDone::run), Field("output", &StepDone::output));
};

struct StepFailed {
  static constexpr std::uint8_t kTag = 22;
  static constexpr std::string_view kName = "step.failed";
  RunId run = {};
  Shared<RunError> error = {};
  bool handled = false;  // by an arc of the step
  static constexpr auto kFields = std::tuple(Field("run", &StepFailed::run), Field("error", &StepFailed::error),
                                             Field("handled", &StepFailed::handled));
};

struct StepCancelled {
  static constexpr std::uint8_t kTag = 23;
  static constexpr std::string_view kName = "step.cancelled";
  RunId run = {};
  static constexpr auto kFields = std::tuple(Field("run", &StepCancelled::run));
};

// The run failed where nothing handles it, and waits for an operator.
struct StepParked {
  static constexpr std::uint8_t kTag = 24;
  static constexpr std::string_view kName = "step.parked";
  RunId run = {};
  Shared<RunError> error = {};
  static constexpr auto kFields = std::tuple(Field("run", &StepParked::run), Field("error", &StepParked::error));
};

struct StepRetryScheduled {
  static constexpr std::uint8_t kTag = 25;
  static constexpr std::string_view kName = "step.retry_scheduled";
  RunId run = {};
  Shared<RunError> error = {};
  Instant at = {};
  static constexpr auto kFields =
      std::tuple(Field("run", &StepRetryScheduled::run), Field("error", &StepRetryScheduled::error),
                 Field("at", &StepRetryScheduled::at));
};

// The second and every later attempt of a run.
struct AttemptStarted {
  static constexpr std::uint8_t kTag = 26;
  static constexpr std::string_view kName = "attempt.started";
  RunId run = {};
  std::optional<Instant> deadline = {};
  static constexpr auto kFields =
      std::tuple(Field("run", &AttemptStarted::run), Field("deadline", &AttemptStarted::deadline));
};

// A pipeline waits inside the attempt: it goes on at its cursor when the time has come.
struct AttemptDeferred {
  static constexpr std::uint8_t kTag = 27;
  static constexpr std::string_view kName = "attempt.deferred";
  RunId run = {};
  Value cursor = {};
  Instant at = {};
  static constexpr auto kFields =
      std::tuple(Field("run", &AttemptDeferred::run), Field("cursor", &AttemptDeferred::cursor),
                 Field("at", &AttemptDeferred::at));
};

// The same attempt is offered again, under a new waiting token.
struct AttemptReoffered {
  static constexpr std::uint8_t kTag = 28;
  static constexpr std::string_view kName = "attempt.reoffered";
  RunId run = {};
  static constexpr auto kFields = std::tuple(Field("run", &AttemptReoffered::run));
};

// What comes before the next tool in the pipeline of an attempt has been decided: a worker goes on from there.
struct AttemptAdvanced {
  static constexpr std::uint8_t kTag = 15;
  static constexpr std::string_view kName = "attempt.advanced";
  RunId run = {};
  Value cursor = {};
  static constexpr auto kFields =
      std::tuple(Field("run", &AttemptAdvanced::run), Field("cursor", &AttemptAdvanced::cursor));
};

// An operator has a parked failure tried again: its token is to be looked at anew.
struct StepRetried {
  static constexpr std::uint8_t kTag = 29;
  static constexpr std::string_view kName = "step.retried";
  RunId run = {};
  static constexpr auto kFields = std::tuple(Field("run", &StepRetried::run));
};

}  // namespace stepwell
