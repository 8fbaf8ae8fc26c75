#include <algorithm>
#include <concepts>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/fan_out.h"
#include "stepwell/kernel/playbook/misfit.h"

namespace stepwell {

namespace {

template <typename E, typename... Es>
constexpr bool is_one_of = (std::same_as<E, Es> || ...);

// Which events make what they name; any other names what is there.
template <typename E>
constexpr bool makes_token = is_one_of<E, TokenCreated, NextSelected, BranchOpened, BlockOpened>;
template <typename E>
constexpr bool makes_scope = is_one_of<E, BranchOpened, BlockOpened>;
template <typename E>
constexpr bool makes_fan_out = is_one_of<E, FanOutOpened, LoopOpened>;

class EventMisfit {
 public:
  EventMisfit(const Definition& definition, const State& state) : definition_(definition), state_(state) {}

  template <typename E>
  std::optional<std::string> operator()(const E& event) {
    E::each_field([&](std::string_view name, auto member) { check<E>(name, event.*member); });
    if (!problem_ && !fits(event)) refuse("what it does");
    return std::move(problem_);
  }

 private:
  void refuse(std::string_view what) {
    if (!problem_) problem_ = fmt::format("does not fit: {}", what);
  }

  template <typename E>
  void check(std::string_view name, TokenId token) {
    const bool none = std::same_as<E, NextSelected> && !token;
    const bool known = makes_token<E> ? token > state_.last_token : state_.tokens.find(token) != nullptr;
    if (!none && !known) refuse(name);
  }
  template <typename E>
  void check(std::string_view name, RunId run) {
    const bool none = std::same_as<E, MessageSent> && !run;
    const bool known = std::same_as<E, StepStarted> ? run > state_.last_run : state_.runs.find(run) != nullptr;
    if (!none && !known) refuse(name);
  }
  template <typename E>
  void check(std::string_view name, ScopeId scope) {
    const bool known = makes_scope<E> ? scope > state_.last_scope : state_.scopes.find(scope) != nullptr;
    if (!known) refuse(name);
  }
  template <typename E>
  void check(std::string_view name, FanOutId fan_out) {
    const bool known = makes_fan_out<E> ? fan_out > state_.last_fan_out : state_.fan_outs->find(fan_out) != nullptr;
    if (!known) refuse(name);
  }
  template <typename E>
  void check(std::string_view name, MessageId message) {
    const bool waits = state_.rarely != nullptr && state_.rarely->outbox.find(message) != nullptr;
    if (!(std::same_as<E, MessageSent> ? message > state_.last_message : waits)) refuse(name);
  }
  // Steps are plain numbers: their fields say that they are steps.
  template <typename E>
  void check(std::string_view name, StepIndex number) {
    if (name == "step" && number >= definition_.steps.size()) refuse(name);
  }
  template <typename E>
  void check(std::string_view, const auto&) {}

  const Run& run_of(const auto& event) const { return state_.runs.at(event.run); }
  template <typename Work>
  bool waits_for(const auto& event) const {
    return std::holds_alternative<Work>(run_of(event).work);
  }

  // What an event needs besides.
  bool fits(const auto&) const { return true; }
  bool fits(const WorkflowStarted&) const { return state_.phase == Phase::none; }
  bool fits(const WorkflowEnded& event) const {
    return !event.termination || event.termination->by < definition_.steps.size();
  }
  bool fits(const StepStarted& event) const {
    const Token& token = state_.tokens.at(event.token);
    const bool rests = token.state != TokenState::running && token.state != TokenState::at_join;
    return rests && token.step == event.step && (!event.deadline || definition_.steps[event.step].timeout);
  }
  bool fits(const AttemptStarted& event) const { return waits_for<OpenBackoff>(event); }
  bool fits(const AttemptAdvanced& event) const { return waits_for<OpenAttempt>(event); }
  bool fits(const TaskAssigned& event) const { return waits_for<OpenTask>(event); }
  bool fits(const TaskReleased& event) const { return waits_for<OpenTask>(event); }
  bool fits(const CtxPatched& event) const { return event.patch.is_map(); }
  bool fits(const CtxSet& event) const {
    // An overlay takes any path; what is seen through it is asked when it is read.
    if (state_.scopes.at(event.scope).home != kRootScope) return true;
    return can_write(state_.ctx, event.writes);
  }
  bool fits(const IterSet& event) const {
    const Scope& scope = state_.scopes.at(event.scope);
    return scope.kind == ScopeKind::iteration &&
           can_write(scope.inner->iter.is_map() ? scope.inner->iter : Value::map({}), event.writes);
  }
  bool fits(const NextSelected& event) const {
    const std::size_t arcs = definition_.steps[event.step].arcs.size();
    return std::ranges::all_of(event.arcs, [&](std::uint32_t arc) { return arc < arcs; }) &&
           (!event.token || !event.arcs.empty());
  }
  bool fits(const FanOutOpened& event) const {
    const Step& step = definition_.steps[event.step];
    return std::ranges::all_of(event.legs, [&](const TakenArc& leg) { return leg_fits(step, leg); });
  }
  bool fits(const LoopOpened& event) const {
    return event.items.is_list() && definition_.steps[run_of(event).step].loop.has_value();
  }
  bool fits(const BranchOpened& event) const {
    const FanOut& fan_out = state_.fan_outs->at(event.fan_out);
    return event.index < fan_out.total && fan_out.opened < fan_out.total;
  }
  bool fits(const BranchDetached& event) const {
    const FanOut* fan_out = state_.fan_outs->find(state_.scopes.at(event.scope).fan_out);
    return fan_out != nullptr && fan_out->joined;
  }
  bool fits(const BlockOpened& event) const { return definition_.steps[run_of(event).step].block.has_value(); }
  bool fits(const BlockClosed& event) const { return state_.scopes.at(event.scope).kind == ScopeKind::block; }
  bool fits(const SignalTaken& event) const {
    return state_.rarely != nullptr && std::ranges::count(state_.rarely->signals, event.id, &BufferedSignal::id) != 0;
  }

  static bool can_write(Value root, const Writes& writes) {
    for (const Write& write : writes) {
      auto written = set(root, write.path, write.value);
      if (!written) return false;
      root = std::move(*written);
    }
    return true;
  }

  const Definition& definition_;
  const State& state_;
  std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> misfit(const Definition& definition, const State& state, const Event& event) {
  return std::visit([&](const auto& each) { return EventMisfit(definition, state)(each); }, event);
}

}  // namespace stepwell
