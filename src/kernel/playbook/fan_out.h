#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// Whether these arcs of a step make branches. A single arc without foreach whose step nobody joins is just the way on.
inline bool opens_fan_out(const Step& step, const TakenArcs& taken) {
  return step.joined_by.has_value() || taken.size() > 1 || taken.front().items.has_value();
}

// How many branches a taken arc opens, and all of them.
std::uint32_t branch_count(const TakenArc& leg);
std::uint32_t branch_count(const TakenArcs& legs);

// Whether this can be an arc of the step, with items and args that belong together.
bool leg_fits(const Step& step, const TakenArc& leg);

// What a branch begins with.
struct BranchPlan {
  std::uint32_t leg = 0;
  Value item = {};
  Value args = {};
};
BranchPlan branch_at(const TakenArcs& legs, std::uint32_t index);

// The branch or iteration that a fan-out or loop may open now, if there is one: the first whose arc's bound allows it.
std::optional<std::uint32_t> next_branch(const Definition& definition, const FanOut& fan_out);
// Those that were never opened.
std::vector<std::uint32_t> unopened(const FanOut& fan_out);

// What a join or loop of these branches comes to.
enum class JoinVerdict : std::uint8_t { wait, fire, fail };
JoinVerdict judge(const Join& join, const FanOut& fan_out);
// The same, if one more of its open branches had failed.
JoinVerdict judge_with_failure(const Join& join, const FanOut& fan_out);

}  // namespace stepwell
