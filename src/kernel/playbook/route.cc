#include <algorithm>

#include "stepwell/kernel/playbook/end_of_run.h"
#include "stepwell/kernel/playbook/fan_out.h"

namespace stepwell {

namespace {

std::uint8_t asked_after(const Arc& arc, const Policy& policy) {
  if (policy.all_arcs_after_failure) return kDone | kFailed | kTimedOut;
  switch (arc.on) {
    case ArcOn::done: return kDone;
    case ArcOn::failed: return kFailed | kTimedOut;
    case ArcOn::timeout: return kTimedOut;
    case ArcOn::any: return kDone | kFailed | kTimedOut;
  }
  return kDone;
}

// Whether args depend on the branch that they are for.
bool reads_branch(const Mapping& mapping) {
  if (const auto* expression = std::get_if<Expression>(&mapping.shape)) {
    return std::ranges::any_of(expression->names,
                               [](Name name) { return name.kind == NameKind::item || name.kind == NameKind::branch; });
  }
  if (const auto* list = std::get_if<Mapping::List>(&mapping.shape)) return std::ranges::any_of(*list, reads_branch);
  if (const auto* map = std::get_if<Mapping::Map>(&mapping.shape)) {
    return std::ranges::any_of(*map, [](const MappingMember& member) { return reads_branch(member.value); });
  }
  return false;
}

}  // namespace

// Takes the arc, with its items, if its guard holds. Its args wait until it is known what else is taken.
OrFailure<bool> Decider::plan_arc(const Scene& scene, const Step& step, std::uint32_t index, TakenArcs& taken) {
  const Arc& arc = step.arcs[index];
  if (arc.when) {
    const auto answer = ask(scene, *arc.when, ambient_);
    if (!answer) return std::unexpected(answer.error()->error);
    if (!*answer) return false;
  }
  TakenArc& added = taken.emplace_back();
  added.arc = index;
  if (arc.foreach) {
    const auto collection = render(scene, arc.foreach->in, ambient_);
    if (!collection) return std::unexpected(collection.error()->error);
    auto items = items_in(*collection, "foreach.in");
    if (!items) return std::unexpected(std::move(items.error()));
    added.items = std::move(*items);
  }
  return true;
}

// Renders the args of an arc for the branches that it opens, frozen now, whenever they open. `first` is the index of
// its first branch, `total` how many all taken arcs open: none, if the arc is just the way on.
OrFailure<void> Decider::plan_args(const Scene& scene, const Step& step, std::uint32_t first, std::uint32_t total,
                                   TakenArc& taken) {
  const Arc& arc = step.arcs[taken.arc];
  const bool none = taken.items && taken.items->as_list().empty();
  if (!arc.args || none) return {};
  OpeningBranch opening{.step = scene.ended->step, .index = first, .total = total};
  Scene inside = scene;
  if (total != 0) inside.opening = &opening;
  if (!taken.items || !reads_branch(*arc.args)) {
    auto args = render(inside, *arc.args, ambient_);
    if (!args) return std::unexpected(std::move(args.error()->error));
    taken.args = std::move(*args);
    return {};
  }
  taken.args_per_item = true;
  opening.as = arc.foreach->as;
  std::vector<Value> all;
  all.reserve(taken.items->as_list().size());
  for (const Value& item : taken.items->as_list()) {
    opening.item = item;
    auto args = render(inside, *arc.args, ambient_);
    if (!args) return std::unexpected(std::move(args.error()->error));
    all.push_back(std::move(*args));
    ++opening.index;
  }
  taken.args = Value::list(std::move(all));
  return {};
}

OrFailure<void> Decider::plan_route(const Scene& scene, const Step& step, std::uint8_t outcome, Route& route) {
  for (std::uint32_t i = 0; i < step.arcs.size(); ++i) {
    if ((asked_after(step.arcs[i], definition_.policy) & outcome) == 0) continue;
    ++route.asked;
    auto taken = plan_arc(scene, step, i, route.taken);
    if (!taken) return std::unexpected(std::move(taken.error()));
    if (*taken && !step.inclusive) break;
  }
  const bool some_args =
      std::ranges::any_of(route.taken, [&](const TakenArc& taken) { return step.arcs[taken.arc].args.has_value(); });
  if (!some_args) return {};
  const std::uint32_t total = opens_fan_out(step, route.taken) ? branch_count(route.taken) : 0;
  std::uint32_t first = 0;
  for (TakenArc& taken : route.taken) {
    if (auto planned = plan_args(scene, step, first, total, taken); !planned) return planned;
    first += branch_count(taken);
  }
  return {};
}

void Decider::take_route(StepIndex step, ScopeId scope, Route& route) {
  const bool fans_out = !route.taken.empty() && opens_fan_out(step_of(step), route.taken);
  if (!step_of(step).arcs.empty()) {
    NextSelected selected{.step = step, .scope = scope, .asked = route.asked};
    for (const TakenArc& taken : route.taken) selected.arcs.push_back(taken.arc);
    if (!fans_out && !route.taken.empty()) {
      selected.token = state_.last_token.next();
      selected.args = std::move(route.taken.front().args);
    }
    out_.emit(std::move(selected));
  }
  if (!fans_out) {
    // With a token the scope cannot have come to rest.
    if (route.taken.empty()) touch(scope);
    return;
  }
  const FanOutId fan_out = state_.last_fan_out.next();
  std::optional<Instant> deadline;
  if (const auto join = step_of(step).joined_by; join && step_of(*join).join->timeout) {
    deadline = checked_add(now_, *step_of(*join).join->timeout);
  }
  out_.emit(FanOutOpened{
      .fan_out = fan_out, .step = step, .scope = scope, .legs = std::move(route.taken), .deadline = deadline});
  check_fan_out(fan_out);
}

}  // namespace stepwell
