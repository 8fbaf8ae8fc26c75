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
  std::vector<TakenArc> taken = {};
};

// What the end of a run does, evaluated but not yet done.
struct Decider::EndOfRun {
  std::vector<Write> ctx = {};
  std::vector<Write> iter = {};
  std::optional<Value> reference = {};
  Route route = {};
};

// How a run that failed with this error ended, for plan_route.
std::uint8_t failed_outcome(const RunError& error);

// The items of a collection: a list as it is, a map as a list of {key, value}.
std::expected<Value, RunError> items_of(const Value& collection, std::string_view what);

// The writes of a patch that a pipeline made: a map of path -> value.
std::expected<void, RunError> plan_patch(const Value& patch, std::string_view what, std::vector<Write>& writes);

// `root` with all writes in it.
std::expected<Value, RunError> write_all(Value root, const std::vector<Write>& writes, std::string_view what);

}  // namespace stepwell
