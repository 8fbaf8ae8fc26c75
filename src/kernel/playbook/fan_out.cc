#include "stepwell/kernel/playbook/fan_out.h"

namespace stepwell {

namespace {

struct Tally {
  std::uint64_t arrived = 0;
  std::uint64_t live = 0;  // opened or not
  bool ended = false;
  bool failed = false;
  bool cancelled = false;
};

JoinVerdict judge(const Join& join, const Tally& tally) {
  switch (join.mode) {
    case JoinMode::all:
      if (tally.cancelled || (!join.allow_ended && tally.ended) || (!join.allow_failed && tally.failed)) {
        return JoinVerdict::fail;
      }
      return tally.live == 0 ? JoinVerdict::fire : JoinVerdict::wait;
    case JoinMode::any:
      if (tally.arrived > 0) return JoinVerdict::fire;
      return tally.live == 0 ? JoinVerdict::fail : JoinVerdict::wait;
    case JoinMode::m_of_n: {
      const auto needed = static_cast<std::uint64_t>(join.m);
      if (tally.arrived >= needed) return JoinVerdict::fire;
      return tally.arrived + tally.live < needed ? JoinVerdict::fail : JoinVerdict::wait;
    }
  }
  return JoinVerdict::wait;
}

}  // namespace

std::uint32_t branch_count(const TakenArc& leg) {
  return leg.items ? static_cast<std::uint32_t>(leg.items->as_list().size()) : 1;
}

std::uint32_t branch_count(const TakenArcs& legs) {
  std::uint32_t count = 0;
  for (const TakenArc& leg : legs) count += branch_count(leg);
  return count;
}

bool leg_fits(const Step& step, const TakenArc& leg) {
  if (leg.arc >= step.arcs.size()) return false;
  if (leg.items && !leg.items->is_list()) return false;
  if (!leg.args_per_item) return true;
  return leg.items && leg.args.is_list() && leg.args.as_list().size() == leg.items->as_list().size();
}

BranchPlan branch_at(const TakenArcs& legs, std::uint32_t index) {
  std::uint32_t leg = 0;
  while (index >= branch_count(legs[leg])) index -= branch_count(legs[leg++]);
  const TakenArc& taken = legs[leg];
  return {.leg = leg,
          .item = taken.items ? taken.items->as_list()[index] : Value(),
          .args = taken.args_per_item ? taken.args.as_list()[index] : taken.args};
}

std::optional<std::uint32_t> next_branch(const Definition& definition, const FanOut& fan_out) {
  if (fan_out.opened == fan_out.total) return std::nullopt;
  const Step& step = definition.steps[fan_out.step];
  if (fan_out.is_loop) {
    const bool free = fan_out.in_flight() < static_cast<std::uint64_t>(step.loop->max_in_flight);
    return free ? std::optional(fan_out.opened) : std::nullopt;
  }
  std::uint32_t first = 0;
  for (std::size_t leg = 0; leg < fan_out.legs.size(); ++leg) {
    const std::optional<Foreach>& each = step.arcs[fan_out.legs[leg].arc].foreach;
    const bool free =
        !each || !each->max_in_flight || fan_out.leg_in_flight[leg] < static_cast<std::uint64_t>(*each->max_in_flight);
    if (free && fan_out.leg_opened[leg] < branch_count(fan_out.legs[leg])) return first + fan_out.leg_opened[leg];
    first += branch_count(fan_out.legs[leg]);
  }
  return std::nullopt;
}

std::vector<std::uint32_t> unopened(const FanOut& fan_out) {
  std::vector<std::uint32_t> all;
  std::uint32_t first = 0;
  for (std::size_t leg = 0; leg < fan_out.legs.size(); ++leg) {
    for (std::uint32_t i = fan_out.leg_opened[leg]; i < branch_count(fan_out.legs[leg]); ++i) all.push_back(first + i);
    first += branch_count(fan_out.legs[leg]);
  }
  return all;
}

JoinVerdict judge(const Join& join, const FanOut& fan_out) {
  return judge(join, {.arrived = fan_out.arrived.size(),
                      .live = fan_out.total - fan_out.settled,
                      .ended = !fan_out.ended.empty(),
                      .failed = !fan_out.failed.empty(),
                      .cancelled = !fan_out.cancelled.empty()});
}

JoinVerdict judge_with_failure(const Join& join, const FanOut& fan_out) {
  return judge(join, {.arrived = fan_out.arrived.size(),
                      .live = fan_out.total - fan_out.settled - 1ull,
                      .ended = !fan_out.ended.empty(),
                      .failed = true,
                      .cancelled = !fan_out.cancelled.empty()});
}

}  // namespace stepwell
