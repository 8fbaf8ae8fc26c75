#include <ranges>

#include "stepwell/kernel/playbook/applier.h"
#include "stepwell/kernel/playbook/results.h"
#include "stepwell/kernel/playbook/scene.h"

namespace stepwell {

Scope& Applier::add_scope(Scope scope) {
  CHECK(scope.id > state_.last_scope);
  state_.last_scope = scope.id;
  scope.home = scope.isolated ? scope.id : state_.scopes.at(scope.parent).home;
  link(scope);
  return state_.scopes.add(std::move(scope));
}

// What the scope knows goes to the one around it, and what is left in it is gone.
void Applier::close_into_parent(ScopeId id) {
  drop_contents(id);
  const Scope& scope = state_.scopes.at(id);
  if (!scope.detached) {
    Scope& parent = state_.scopes.at(scope.parent);
    fold_results(scope, state_.fan_outs->find(scope.fan_out), parent);
    if (!state_.watched->gates.empty()) {
      const std::vector<StepResult> folded = scope.results;
      for (const StepResult& result : folded) step_changed(parent.id, result.step);
    }
  }
  drop_scope(id);
}

// Everything below a scope, and its tokens. Runs were cancelled before, each with an event of its own.
void Applier::drop_contents(ScopeId id) {
  std::vector<ScopeId> inside = {id};
  for (std::size_t i = 0; i < inside.size(); ++i) {
    for (ScopeId child = state_.scopes.at(inside[i]).first_child; child; child = state_.scopes.at(child).after) {
      inside.push_back(child);
    }
  }
  for (const ScopeId each : inside) {
    while (const TokenId first = state_.scopes.at(each).first_token) {
      Token& token = state_.tokens.at(first);
      CHECK(token.state != TokenState::running);
      remove_token(token);
    }
  }
  for (const ScopeId each : inside | std::views::reverse) {
    while (!state_.scopes.at(each).fan_outs.empty()) erase_fan_out(state_.scopes.at(each).fan_outs.back());
    if (each == id) continue;
    // What ended in it stays known around the scope that is closed.
    const Scope& scope = state_.scopes.at(each);
    if (id != kRootScope && !scope.detached)
      fold_results(scope, state_.fan_outs->find(scope.fan_out), state_.scopes.at(scope.parent));
    drop_scope(each);
  }
}

void Applier::link(Scope& scope) {
  Scope& parent = state_.scopes.at(scope.parent);
  if (scope.isolated) ++state_.scopes.at(parent.home).inner_homes;
  scope.before = {};
  scope.after = parent.first_child;
  if (parent.first_child) state_.scopes.at(parent.first_child).before = scope.id;
  parent.first_child = scope.id;
}

void Applier::unlink(const Scope& scope) {
  Scope& parent = state_.scopes.at(scope.parent);
  if (scope.isolated) --state_.scopes.at(parent.home).inner_homes;
  if (scope.before) state_.scopes.at(scope.before).after = scope.after;
  if (scope.after) state_.scopes.at(scope.after).before = scope.before;
  if (parent.first_child == scope.id) parent.first_child = scope.after;
}

void Applier::move_scope(Scope& scope, ScopeId parent) {
  unlink(scope);
  scope.parent = parent;
  link(scope);
}

void Applier::drop_scope(ScopeId id) {
  const Scope& scope = state_.scopes.at(id);
  unlink(scope);
  if (scope.detached) --state_.detached;
  state_.scopes.erase(id);
}

void Applier::operator()(const BlockOpened& event) {
  Run& run = state_.runs.at(event.run);
  set_work(run, OpenBlock{event.scope});
  const ScopeId parent = run.scope;
  const StepList& list = definition_.lists[*definition_.steps[run.step].block];
  add_scope({.id = event.scope, .kind = ScopeKind::block, .parent = parent}).inner.write().owner = event.run;
  add_token(event.token, list.steps.front(), event.scope, {}, false, false);
}

void Applier::operator()(const BlockClosed& event) {
  set_work(state_.runs.at(state_.scopes.at(event.scope).inner->owner), Deciding{});
  close_into_parent(event.scope);
}

}  // namespace stepwell
