#include "stepwell/kernel/playbook/derive.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace stepwell {

namespace {

class Deriver {
 public:
  Deriver(const Definition& definition, State& state) : definition_(definition), state_(state) {}

  void run() {
    scopes();
    tokens();
    runs();
    fan_outs();
    if (state_.deadline) state_.watched.write().timers.add({*state_.deadline, TimerKind::execution_deadline, 0});
  }

 private:
  void scopes() {
    std::vector<ScopeId> all;
    state_.scopes.each([&](const Scope& scope) { all.push_back(scope.id); });
    for (const ScopeId id : all) {
      Scope& scope = state_.scopes.at(id);
      if (scope.kind == ScopeKind::root) continue;
      Scope& parent = state_.scopes.at(scope.parent);
      if (scope.isolated) ++state_.scopes.at(parent.home).inner_homes;
      scope.after = parent.first_child;
      if (parent.first_child) state_.scopes.at(parent.first_child).before = id;
      parent.first_child = id;
    }
  }

  void tokens() {
    std::vector<TokenId> all;
    state_.tokens.each([&](const Token& token) { all.push_back(token.id); });
    // After a bound was met, or while nothing may start, any guard may have to be asked again.
    const bool recheck = state_.yielded() || state_.suspended;
    for (const TokenId id : all) {
      Token& token = state_.tokens.at(id);
      Scope& scope = state_.scopes.at(token.scope);
      token.after = scope.first_token;
      if (scope.first_token) state_.tokens.at(scope.first_token).before = id;
      scope.first_token = id;
      ++(token.state == TokenState::at_join ? scope.parked : scope.live);
      if (token.state == TokenState::gated) {
        state_.watched.write().gates.add(scope.home, token.step, id);
        if (recheck) token.state = TokenState::recheck;
      }
      if (token.state == TokenState::created || token.state == TokenState::recheck) state_.agenda.push_back(id);
    }
    std::ranges::make_heap(state_.agenda, std::greater());
  }

  void runs() {
    state_.runs.each([&](const Run& run) {
      state_.open_work += is_open(run.work);
      if (std::holds_alternative<OpenSignal>(run.work)) {
        state_.watched.write().signal_waits.add(definition_.steps[run.step].wait->signal, run.token, run.id);
      }
      if (run.deadline) state_.watched.write().timers.add({*run.deadline, TimerKind::run_deadline, run.id.number});
      if (const auto* backoff = std::get_if<OpenBackoff>(&run.work)) {
        state_.watched.write().timers.add({backoff->at, TimerKind::run_wake, run.id.number});
      }
      if (const auto* timer = std::get_if<OpenTimer>(&run.work)) {
        state_.watched.write().timers.add({timer->at, TimerKind::run_wake, run.id.number});
      }
    });
  }

  void fan_outs() {
    if (state_.fan_outs->empty()) return;
    state_.fan_outs.write().each([&](FanOut& fan_out) {
      Scope& scope = state_.scopes.at(fan_out.scope);
      ++scope.live;
      scope.fan_outs.push_back(fan_out.id);
      if (fan_out.deadline)
        state_.watched.write().timers.add({*fan_out.deadline, TimerKind::join_deadline, fan_out.id.number});
      fan_out.queued = fan_out.opened < fan_out.total;
      if (fan_out.queued) state_.watched.write().can_open.push_back(fan_out.id);  // in order of their numbers: a heap
    });
  }

  const Definition& definition_;
  State& state_;
};

}  // namespace

void derive_all(const Definition& definition, State& state) { Deriver(definition, state).run(); }

}  // namespace stepwell
