#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/base/stamp.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

// What goes into a worker and what comes out of it.
namespace stepwell {

// One offer of one attempt: the waiting token, with the epoch and the execution that it is of. A worker only compares
// it.
struct AttemptKey {
  std::uint64_t epoch = 0;
  std::string execution = {};
  std::uint64_t run = 0;
  std::uint32_t attempt = 0;
  std::uint32_t offer = 0;

  friend auto operator<=>(const AttemptKey&, const AttemptKey&) = default;
};

// Run the pipeline of a step, from its cursor on.
struct AttemptOffer {
  AttemptKey key = {};
  std::shared_ptr<const Definition> definition = {};
  StepIndex step = 0;
  std::uint32_t ordinal = 0;  // which run of its step
  Value inputs = {};          // the names that the pipeline reads of the execution
  Value cursor = {};          // null: from the beginning
  Stamp stamp = {};           // what now(), uuid() and random() answer from
  std::optional<Instant> deadline = {};
};

// One try of one task that a tool ran.
struct TaskReport {
  std::string label = {};
  std::uint32_t pass = 1;     // goes up with every jump of the pipeline
  std::uint32_t attempt = 1;  // the try within the pass
  bool ok = true;
  std::int64_t duration_ms = 0;
};

// How an attempt ended.
struct AttemptReport {
  enum class Outcome : std::uint8_t { done, failed, deferred };

  AttemptKey key = {};
  Outcome outcome = Outcome::done;
  EncodedValue output = {};  // done
  Value error = {};          // failed: {class, kind, message, retryable, details}
  // What the pipeline wants written when the run ends, if done: maps of path -> value, and a list of domain events.
  Value ctx = {};
  Value vars = {};
  Value iter = {};
  Value emitted = {};
  Value cursor = {};                   // deferred: where the pipeline goes on ...
  Duration delay = {};                 // ... and after how long
  std::vector<TaskReport> tasks = {};  // at most limits::kReportedTasks, the latest
};

}  // namespace stepwell
