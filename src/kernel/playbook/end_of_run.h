#pragma once

#include <expected>
#include <optional>
#include <string_view>
#include <vector>

#include "stepwell/kernel/playbook/decider.h"

namespace stepwell {

// The arcs that a run takes.
struct Decider::Route {
  std::uint32_t asked = 0;
  TakenArcs taken = {};
};

// What the end of a run does, evaluated but not yet done.
struct Decider::EndOfRun {
  CtxSet ctx = {};
  Value ctx_after = {};  // what its writes make of the ctx that the run sees
  Writes iter = {};
  std::optional<Value> reference = {};
  Route route = {};
};

// The ends of a run after which an arc is asked, as bits.
inline constexpr std::uint8_t kDone = 1;
inline constexpr std::uint8_t kFailed = 2;
inline constexpr std::uint8_t kTimedOut = 4;

// How a run ends; with an error it has failed. Borrows all three.
inline EndedRun ended_run(const Run& run, const EncodedValue& output, const RunError* error = nullptr) {
  return {.step = run.step, .attempts = run.attempt, .output = output, .child = run.child, .error = error};
}

// How a run that failed with this error ended.
inline std::uint8_t failed_outcome(const RunError& error) {
  return error.error_class == ErrorClass::timeout ? kTimedOut : kFailed;
}

// The items of a collection: a list as it is, a map as a list of {key, value}.
OrFailure<Value> items_of(const Value& collection, std::string_view what);

// The writes of a patch that a pipeline made: a map of path -> value.
OrFailure<void> plan_patch(const Value& patch, std::string_view what, Writes& writes);

// `root` with all writes in it.
OrFailure<Value> write_all(const Value& root, const Writes& writes, std::string_view what);

}  // namespace stepwell
