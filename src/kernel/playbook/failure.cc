#include <utility>

#include "stepwell/kernel/playbook/end_of_run.h"
#include "stepwell/kernel/playbook/fan_out.h"

namespace stepwell {

namespace {

// Whether a failure that got to the execution ends it whatever its policy says.
bool ends_directly(const RunError& error) {
  return error.error_class == ErrorClass::engine || error.kind == "execution";
}

}  // namespace

// The next failure on its way outward, if there is one. Each step of the way ends in another end of run, which asks the
// arcs there and, if none matches, leaves the failure here again: a loop, because scopes may nest without end.
bool Decider::raise_next() {
  if (!raised_) return false;
  auto [id, error] = *std::exchange(raised_, std::nullopt);
  raise(id, std::move(error));
  return true;
}

void Decider::raise(ScopeId id, RunError error) {
  // Unjoined branches share everything with what is around them, failures too.
  for (;;) {
    const Scope& scope = state_.scopes.at(id);
    if (scope.detached || scope.kind != ScopeKind::branch || scope.isolated) break;
    touch(id);
    id = scope.parent;
  }
  const Scope& scope = state_.scopes.at(id);
  switch (scope.kind) {
    case ScopeKind::root: return fail_execution(std::move(error));
    case ScopeKind::branch: cancel_inside(id); return settle_branch(id, Settled::failed, std::move(error));
    case ScopeKind::iteration: {
      const FanOutId loop = scope.fan_out;
      const bool go_on = step_of(state_.fan_outs->at(loop).step).loop->go_on_after_failure;
      cancel_inside(id);
      if (go_on) return settle_branch(id, Settled::failed, std::move(error));
      const RunId run = state_.fan_outs->at(loop).run;
      out_.emit(BranchSettled{.scope = id, .how = Settled::failed, .error = error});
      cancel_branches(loop, false);
      out_.emit(FanOutClosed{loop});
      return end_failed(run, std::move(error));
    }
    case ScopeKind::block: {
      const RunId run = scope.inner->owner;
      cancel_inside(id);
      out_.emit(BlockClosed{id});
      return end_failed(run, std::move(error));
    }
  }
}

// Whether an arc of the step would take the failure.
bool Decider::handles(const Scene& scene, StepIndex step, const RunError& error) {
  const EncodedValue output;
  const Value child;
  const EndedRun run{.step = step, .attempts = 1, .output = output, .child = child, .error = &error};
  Scene ended = scene;
  ended.ended = &run;
  Route route;
  const bool planned = plan_route(ended, step_of(step), failed_outcome(error), route).has_value();
  // An arc that would be taken, had one looked into a blob, is taken.
  if (!needed_.empty()) {
    needed_.clear();
    return true;
  }
  return planned && !route.taken.empty();
}

// Whether the failure would get to the execution, whose policy is to stop where it happened: nothing on the way may be
// closed then.
bool Decider::would_suspend(const Run& run, const RunError& error) {
  if (definition_.policy.on_failure != OnFailure::suspend || state_.phase == Phase::finishing) return false;
  RunError moving = error;
  for (ScopeId id = run.scope;;) {
    const Scope& scope = state_.scopes.at(id);
    if (scope.detached) return false;
    if (scope.kind == ScopeKind::root) return !ends_directly(moving);
    RunId outer = scope.inner->owner;
    if (scope.kind == ScopeKind::branch && !scope.isolated) {
      id = scope.parent;
      continue;
    }
    if (scope.kind == ScopeKind::branch) {
      const FanOut& fan_out = state_.fan_outs->at(scope.fan_out);
      const StepIndex step = *step_of(fan_out.step).joined_by;
      if (judge_with_failure(*step_of(step).join, fan_out) != JoinVerdict::fail) return false;
      const Value args = join_args(fan_out);
      moving = unsatisfied(fan_out, *step_of(step).join);
      const Scene scene{.definition = definition_, .state = state_, .scope = fan_out.scope, .args = &args};
      if (handles(scene, step, moving)) return false;
      id = fan_out.scope;
      continue;
    }
    if (scope.kind == ScopeKind::iteration) {
      const FanOut& loop = state_.fan_outs->at(scope.fan_out);
      if (step_of(loop.step).loop->go_on_after_failure) return false;
      outer = loop.run;
    }
    const Run& around = state_.runs.at(outer);
    const Token& token = state_.tokens.at(around.token);
    Scene scene = scene_of(token);
    scene.run = &around;
    if (!token.is_body && handles(scene, around.step, moving)) return false;
    id = around.scope;
  }
}

void Decider::fail_execution(RunError error) {
  if (state_.phase == Phase::finishing) {
    touch(kRootScope);
    out_.emit(WorkflowFailing{std::move(error)});
    return;
  }
  out_.emit(WorkflowFailing{error});
  if (ends_directly(error) || definition_.policy.on_failure == OnFailure::fail_fast) {
    cancel_inside(kRootScope);
    return finish(EndStatus::failed, std::move(error));
  }
  touch(kRootScope);
}

}  // namespace stepwell
