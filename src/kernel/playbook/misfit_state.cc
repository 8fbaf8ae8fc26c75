#include <algorithm>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/fan_out.h"
#include "stepwell/kernel/playbook/misfit.h"

namespace stepwell {

namespace {

class StateMisfit {
 public:
  StateMisfit(const Definition& definition, const State& state) : definition_(definition), state_(state) {}

  std::optional<std::string> find() {
    if (state_.phase != Phase::none) expect(state_.run_counts.size() == definition_.steps.size(), "another playbook");
    if (state_.phase == Phase::running || state_.phase == Phase::finishing) {
      expect(state_.scopes.find(kRootScope) != nullptr, "no root scope");
    }
    expect(!state_.deadline || definition_.policy.timeout, "a deadline of the execution");
    state_.scopes.each([this](const Scope& scope) { check(scope); });
    state_.tokens.each([this](const Token& token) { check(token); });
    state_.runs.each([this](const Run& run) { check(run); });
    state_.fan_outs->each([this](const FanOut& fan_out) { check(fan_out); });
    if (state_.rarely != nullptr) check(*state_.rarely);
    return std::move(problem_);
  }

 private:
  void expect(bool fits, std::string_view what, std::uint64_t id = 0) {
    if (fits || problem_) return;
    problem_ = id == 0 ? fmt::format("does not fit: {}", what) : fmt::format("does not fit: {} ({})", what, id);
  }
  const Step* step_at(StepIndex index) const {
    return index < definition_.steps.size() ? &definition_.steps[index] : nullptr;
  }

  // Parents come before their children, so each is known to fit when it is asked.
  void check(const Scope& scope) {
    const std::uint64_t id = scope.id.number;
    expect(scope.id <= state_.last_scope, "the number of a scope", id);
    const bool steps_fit = std::ranges::all_of(
        scope.results, [this](const StepResult& result) { return step_at(result.step) != nullptr; });
    expect(steps_fit, "a result in a scope", id);
    if (scope.kind == ScopeKind::root) return expect(scope.id == kRootScope && scope.home == kRootScope, "a root", id);
    const Scope* parent = state_.scopes.find(scope.parent);
    if (parent == nullptr || parent->id >= scope.id) return expect(false, "the parent of a scope", id);
    expect(scope.home == (scope.isolated ? scope.id : parent->home), "the home of a scope", id);
    if (scope.kind == ScopeKind::block) return expect(state_.runs.find(scope.inner->owner) != nullptr, "a block", id);
    if (scope.detached) return;
    const FanOut* fan_out = state_.fan_outs->find(scope.fan_out);
    expect(fan_out != nullptr && fan_out->is_loop == (scope.kind == ScopeKind::iteration) &&
               scope.index < fan_out->total && (fan_out->is_loop || scope.inner->leg < fan_out->legs.size()) &&
               scope.isolated == fan_out->joined,
           "a branch", id);
  }

  void check(const Token& token) {
    const std::uint64_t id = token.id.number;
    const Scope* scope = state_.scopes.find(token.scope);
    const Step* step = step_at(token.step);
    if (scope == nullptr || step == nullptr) return expect(false, "where a token is", id);
    expect(token.id <= state_.last_token, "the number of a token", id);
    expect(!token.is_body || (step->loop && scope->kind == ScopeKind::iteration), "the loop of a token", id);
    expect(token.state != TokenState::at_join || (scope->isolated && step->join), "the join of a token", id);
    const Run* run = state_.runs.find(token.run);
    const bool runs = token.state == TokenState::running;
    expect(runs == (run != nullptr) && (!runs || run->token == token.id), "the run of a token", id);
  }

  void check(const Run& run) {
    const std::uint64_t id = run.id.number;
    const Token* token = state_.tokens.find(run.token);
    const Step* step = step_at(run.step);
    if (token == nullptr || step == nullptr) return expect(false, "where a run is", id);
    expect(run.id <= state_.last_run && token->run == run.id && token->step == run.step && token->scope == run.scope,
           "the token of a run", id);
    expect(!run.deadline || step->timeout, "the deadline of a run", id);
    expect(std::visit([&](const auto& work) { return fits(run, *step, *token, work); }, run.work),
           "what a run waits for", id);
  }

  bool fits(const Run&, const Step&, const Token&, const Deciding&) const { return false; }
  bool fits(const Run&, const Step& step, const Token&, const OpenAttempt&) const {
    return step.type == StepType::task && !step.pure;
  }
  bool fits(const Run&, const Step& step, const Token&, const OpenBackoff&) const {
    return step.type == StepType::task || step.type == StepType::call;
  }
  bool fits(const Run&, const Step& step, const Token&, const OpenTimer&) const {
    return step.wait && (step.wait->duration || step.wait->until);
  }
  bool fits(const Run&, const Step& step, const Token&, const OpenSignal&) const {
    return step.wait && !step.wait->signal.empty();
  }
  bool fits(const Run&, const Step& step, const Token&, const OpenTask&) const { return step.human.has_value(); }
  bool fits(const Run&, const Step& step, const Token&, const OpenCall&) const { return step.type == StepType::call; }
  bool fits(const Run& run, const Step&, const Token&, const OpenLoop& loop) const {
    const FanOut* fan_out = state_.fan_outs->find(loop.fan_out);
    return fan_out != nullptr && fan_out->is_loop && fan_out->run == run.id;
  }
  bool fits(const Run& run, const Step& step, const Token&, const OpenBlock& block) const {
    const Scope* scope = state_.scopes.find(block.scope);
    return scope != nullptr && scope->kind == ScopeKind::block && scope->inner->owner == run.id && step.block;
  }
  bool fits(const Run&, const Step&, const Token&, const ParkedFailure& failure) const {
    return failure.error != nullptr;
  }
  bool fits(const Run&, const Step& step, const Token& token, const OpenBlobs& blobs) const {
    const bool opens_loop = step.loop && !token.is_body;
    return blobs.wait->output || blobs.wait->error || opens_loop;
  }

  void check(const FanOut& fan_out) {
    const std::uint64_t id = fan_out.id.number;
    const Step* step = step_at(fan_out.step);
    if (step == nullptr || state_.scopes.find(fan_out.scope) == nullptr) return expect(false, "where a fan-out is", id);
    expect(fan_out.id <= state_.last_fan_out, "the number of a fan-out", id);
    expect(fan_out.is_loop ? loop_fits(fan_out, *step) : legs_fit(fan_out, *step), "the items of a fan-out", id);
    expect(fan_out.opened <= fan_out.total && fan_out.settled <= fan_out.opened, "the counts of a fan-out", id);
    for (const auto* indices : {&fan_out.arrived, &fan_out.ended, &fan_out.failed, &fan_out.cancelled}) {
      for (const std::uint32_t index : *indices) expect(index < fan_out.total, "a branch of a fan-out", id);
    }
    for (const auto& [index, error] : fan_out.errors) {
      expect(index < fan_out.total && error != nullptr, "an error in a fan-out", id);
    }
    if (fan_out.joined) check_join(fan_out);
  }

  bool loop_fits(const FanOut& fan_out, const Step& step) const {
    const Run* run = state_.runs.find(fan_out.run);
    return step.loop && !fan_out.joined && run != nullptr && run->step == fan_out.step && fan_out.items.is_list() &&
           fan_out.items.as_list().size() == fan_out.total && fan_out.outputs.size() == fan_out.total;
  }
  bool legs_fit(const FanOut& fan_out, const Step& step) const {
    const auto fits = [&](const TakenArc& leg) { return leg_fits(step, leg); };
    return fan_out.joined == step.joined_by.has_value() && std::ranges::all_of(fan_out.legs, fits) &&
           branch_count(fan_out.legs) == fan_out.total && fan_out.leg_in_flight.size() == fan_out.legs.size() &&
           fan_out.leg_opened.size() == fan_out.legs.size();
  }

  void check_join(const FanOut& fan_out) {
    const std::uint64_t id = fan_out.id.number;
    const Join& join = *definition_.steps[*definition_.steps[fan_out.step].joined_by].join;
    expect(!fan_out.deadline || join.timeout, "the deadline of a join", id);
    expect(fan_out.branches.size() == fan_out.total, "the branches of a join", id);
    if (problem_) return;
    for (const ScopeId branch : fan_out.branches) {
      expect(!branch || state_.scopes.find(branch) != nullptr, "a branch of a join", id);
    }
    for (const std::uint32_t index : fan_out.arrived) {
      expect(static_cast<bool>(fan_out.branches[index]), "a branch that has arrived", id);
    }
  }

  void check(const Rarely& rare) {
    for (const auto& error : rare.failures) expect(error != nullptr, "a failure");
    rare.outbox.each([this](const OutboxItem& item) {
      expect(item.id <= state_.last_message, "the number of a message", item.id.number);
    });
    expect(!rare.termination || step_at(rare.termination->by) != nullptr, "who ended the execution");
  }

  const Definition& definition_;
  const State& state_;
  std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> misfit(const Definition& definition, const State& state) {
  return StateMisfit(definition, state).find();
}

}  // namespace stepwell
