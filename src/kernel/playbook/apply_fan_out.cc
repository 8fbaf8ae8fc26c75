#include <algorithm>

#include "stepwell/kernel/playbook/applier.h"
#include "stepwell/kernel/playbook/fan_out.h"
#include "stepwell/kernel/playbook/results.h"
#include "stepwell/kernel/playbook/scene.h"

namespace stepwell {

void Applier::operator()(const NextSelected& event) {
  if (event.arcs.empty()) path_ended(event.scope);
  if (!event.token) return;
  const Arc& arc = definition_.steps[event.step].arcs[event.arcs.front()];
  add_token(event.token, arc.target, event.scope, event.args, false, false);
}

void Applier::may_open(FanOut& fan_out) {
  if (fan_out.queued || fan_out.opened == fan_out.total) return;
  fan_out.queued = true;
  Few<FanOutId>& can_open = state_.watched.write().can_open;
  can_open.push_back(fan_out.id);
  std::ranges::push_heap(can_open, std::greater());
}

void Applier::operator()(const FanOutOpened& event) {
  const Step& step = definition_.steps[event.step];
  FanOut fan_out{.id = event.fan_out,
                 .step = event.step,
                 .joined = step.joined_by.has_value(),
                 .scope = event.scope,
                 .legs = event.legs,
                 .total = branch_count(event.legs),
                 .deadline = event.deadline};
  fan_out.leg_in_flight.resize(event.legs.size());
  fan_out.leg_opened.resize(event.legs.size());
  if (fan_out.joined) fan_out.branches.resize(fan_out.total);
  if (fan_out.deadline)
    state_.watched.write().timers.add({*fan_out.deadline, TimerKind::join_deadline, fan_out.id.number});
  open(std::move(fan_out));
}

void Applier::open(FanOut fan_out) {
  CHECK(fan_out.id > state_.last_fan_out);
  state_.last_fan_out = fan_out.id;
  Scope& around = state_.scopes.at(fan_out.scope);
  ++around.live;
  around.fan_outs.push_back(fan_out.id);
  may_open(state_.fan_outs.write().add(std::move(fan_out)));
}

void Applier::erase_fan_out(FanOutId id) {
  Scope& around = state_.scopes.at(state_.fan_outs->at(id).scope);
  --around.live;
  std::erase(around.fan_outs, id);
  state_.fan_outs.write().erase(id);
}

void Applier::operator()(const LoopOpened& event) {
  Run& run = state_.runs.at(event.run);
  set_work(run, OpenLoop{event.fan_out});
  FanOut fan_out{.id = event.fan_out,
                 .step = run.step,
                 .is_loop = true,
                 .scope = run.scope,
                 .run = run.id,
                 .items = event.items,
                 .total = static_cast<std::uint32_t>(event.items.as_list().size())};
  fan_out.outputs.resize(fan_out.total);
  open(std::move(fan_out));
}

void Applier::operator()(const BranchOpened& event) {
  FanOut& fan_out = state_.fan_outs.write().at(event.fan_out);
  const std::uint32_t index = event.index;
  ++fan_out.opened;
  if (fan_out.joined) fan_out.branches[index] = event.scope;
  if (fan_out.is_loop) {
    const Value item = fan_out.items.as_list()[index];
    const Value args = state_.tokens.at(state_.runs.at(fan_out.run).token).args;
    const StepIndex step = fan_out.step;
    add_scope({.id = event.scope,
               .kind = ScopeKind::iteration,
               .parent = fan_out.scope,
               .fan_out = fan_out.id,
               .index = index})
        .inner.write()
        .item = item;
    return add_token(event.token, step, event.scope, args, false, true);
  }
  const BranchPlan plan = branch_at(fan_out.legs, index);
  ++fan_out.leg_in_flight[plan.leg];
  ++fan_out.leg_opened[plan.leg];
  const StepIndex target = definition_.steps[fan_out.step].arcs[fan_out.legs[plan.leg].arc].target;
  InnerScope& inner = add_scope({.id = event.scope,
                                 .kind = ScopeKind::branch,
                                 .isolated = fan_out.joined,
                                 .parent = fan_out.scope,
                                 .fan_out = fan_out.id,
                                 .index = index})
                          .inner.write();
  inner.leg = plan.leg;
  inner.item = plan.item;
  add_token(event.token, target, event.scope, plan.args, false, false);
}

void Applier::settle_iteration(FanOut& fan_out, const Scope& scope, const BranchSettled& event) {
  if (event.how == Settled::ended) fan_out.outputs[scope.index] = scope_output(scope);
  if (event.error) fan_out.errors.emplace_back(scope.index, event.error->pointer());
}

void Applier::operator()(const BranchSettled& event) {
  Scope& scope = state_.scopes.at(event.scope);
  FanOut* fan_out = scope.detached ? nullptr : state_.fan_outs.write().find(scope.fan_out);
  if (fan_out != nullptr) {
    ++fan_out->settled;
    if (!fan_out->is_loop) --fan_out->leg_in_flight[scope.inner->leg];
    switch (event.how) {
      case Settled::arrived: fan_out->arrived.push_back(scope.index); break;
      case Settled::ended: fan_out->ended.push_back(scope.index); break;
      case Settled::failed: fan_out->failed.push_back(scope.index); break;
      case Settled::cancelled: fan_out->cancelled.push_back(scope.index); break;
    }
    if (fan_out->is_loop) {
      settle_iteration(*fan_out, scope, event);
    } else if (event.error) {
      fan_out->errors.emplace_back(scope.index, event.error->pointer());
    }
    may_open(*fan_out);
  }
  // A joined branch that has arrived keeps what it wrote until the join fires.
  const bool kept = fan_out != nullptr && fan_out->joined && event.how == Settled::arrived;
  scope.settled = true;
  if (kept) {
    drop_contents(event.scope);
  } else {
    if (fan_out != nullptr && fan_out->joined) fan_out->branches[scope.index] = {};
    close_into_parent(event.scope);
  }
}

void Applier::operator()(const BranchDetached& event) {
  Scope& scope = state_.scopes.at(event.scope);
  FanOut& fan_out = state_.fan_outs.write().at(scope.fan_out);
  ++fan_out.settled;
  fan_out.cancelled.push_back(scope.index);
  fan_out.branches[scope.index] = {};
  freeze(scope);
  scope.detached = true;
  ++state_.detached;
}

// From now on nothing around it can change what the branch sees, since nothing is around it.
void Applier::freeze(Scope& scope) {
  InnerScope& inner = scope.inner.write();
  inner.frozen = names_around(definition_, state_, scope.id);
  std::vector<Write> seen;
  for (ScopeId at = state_.scopes.at(scope.parent).home; at != kRootScope;) {
    const Scope& home = state_.scopes.at(at);
    seen.insert(seen.begin(), home.inner->overlay.begin(), home.inner->overlay.end());
    at = state_.scopes.at(home.parent).home;
  }
  inner.overlay.insert(inner.overlay.begin(), seen.begin(), seen.end());
  for (ScopeId at = scope.parent; at != kRootScope; at = state_.scopes.at(at).parent) {
    keep_missing_results(state_.scopes.at(at), scope);
  }
  move_scope(scope, kRootScope);
}

void Applier::operator()(const FanOutClosed& event) {
  const std::vector<ScopeId> branches = std::move(state_.fan_outs.write().at(event.fan_out).branches);
  for (const ScopeId branch : branches) {
    if (branch) close_into_parent(branch);
  }
  if (Run* run = state_.runs.find(state_.fan_outs->at(event.fan_out).run)) set_work(*run, Deciding{});
  erase_fan_out(event.fan_out);
}

}  // namespace stepwell
