#include "stepwell/kernel/playbook/applier.h"
#include "stepwell/kernel/playbook/results.h"
#include "stepwell/kernel/playbook/scene.h"

namespace stepwell {

void Applier::operator()(const StepStarted& event) {
  Token& token = state_.tokens.at(event.token);
  ungate(token);
  token.state = TokenState::running;
  token.run = event.run;
  state_.last_run = event.run;
  ++state_.runs_started;
  state_.run_counts[event.step] = event.ordinal;
  Run& run = state_.runs.add(event.run);
  run.step = event.step;
  run.ordinal = event.ordinal;
  run.token = token.id;
  run.scope = token.scope;
  run.deadline = event.deadline;
  if (run.deadline) state_.watched.write().timers.add({*run.deadline, TimerKind::run_deadline, run.id.number});
  const Step& step = definition_.steps[run.step];
  const bool opens_loop = step.loop && !token.is_body;
  if (step.type == StepType::task && !step.pure && !opens_loop) capture_inputs(run, {});
}

void Applier::erase_run(Run& run) {
  forget_work(run);
  state_.runs.erase(run);
}

// What a worker will be told is taken when the attempt begins, so that offering it again offers the same.
void Applier::capture_inputs(Run& run, Value cursor) {
  const Step& step = definition_.steps[run.step];
  Value inputs;
  if (!step.attempt_reads.empty()) {
    const Value& args = state_.tokens.at(run.token).args;
    const Scene scene{.definition = definition_, .state = state_, .scope = run.scope, .args = &args, .run = &run};
    inputs = attempt_inputs(scene, step);
  }
  OpenAttempt& attempt = set_work<OpenAttempt>(run);
  attempt.inputs = std::move(inputs);
  attempt.cursor = std::move(cursor);
}

void Applier::wait_until(const Run& run, Instant at) {
  state_.watched.write().timers.add({at, TimerKind::run_wake, run.id.number});
}

// With an error it has failed.
void Applier::end_run(Run& run, const EncodedValue& output, const std::shared_ptr<const RunError>& error) {
  const ScopeId scope = run.scope;
  const TokenId token = run.token;
  const StepIndex step = run.step;
  Scope& in = state_.scopes.at(scope);
  in.last = output;
  in.last_order = ++state_.runs_ended;
  if (error != nullptr) in.last_error = error;
  if (definition_.steps[step].named) {
    keep_result(in, {.step = step,
                     .failed = error != nullptr,
                     .attempts = run.attempt,
                     .run = run.id,
                     .order = state_.runs_ended,
                     .output = output,
                     .error = error,
                     .child = run.child});
  }
  erase_run(run);
  remove_token(state_.tokens.at(token));
  step_changed(scope, step);
}

// A token ended done with no follower. Inside a joined fan-out, or a loop, which is one, that has no part in whether
// the execution is partial.
void Applier::path_ended(ScopeId scope) {
  if (state_.ended_done || state_.scopes.at(scope).home != kRootScope) return;
  for (; scope != kRootScope; scope = state_.scopes.at(scope).parent) {
    if (state_.scopes.at(scope).kind == ScopeKind::iteration) return;
  }
  state_.ended_done = true;
}

void Applier::operator()(const StepDone& event) {
  Run& run = state_.runs.at(event.run);
  const bool is_leaf = definition_.steps[run.step].arcs.empty() && !state_.tokens.at(run.token).is_body;
  if (is_leaf) path_ended(run.scope);
  end_run(run, event.output, nullptr);
}

void Applier::operator()(const StepFailed& event) {
  if (!event.handled) {
    auto& failures = rarely().failures;
    // On its way outward it fails every run around it, but it is one failure.
    const bool known = !failures.empty() && failures.back()->run == event.error->run;
    if (!known && failures.size() < limits::kListedFailures) failures.push_back(event.error.pointer());
  }
  end_run(state_.runs.at(event.run), {}, event.error.pointer());
}

void Applier::operator()(const StepCancelled& event) {
  Run& run = state_.runs.at(event.run);
  const TokenId token = run.token;
  erase_run(run);
  remove_token(state_.tokens.at(token));
}

void Applier::operator()(const StepParked& event) {
  Run& run = state_.runs.at(event.run);
  set_work(run, ParkedFailure{event.error.pointer()});
  run.deadline.reset();
}

void Applier::operator()(const StepRetried& event) {
  Run& run = state_.runs.at(event.run);
  const TokenId id = run.token;
  erase_run(run);
  Token& token = state_.tokens.at(id);
  token.state = TokenState::created;
  token.run = {};
  to_agenda(id);
}

void Applier::operator()(const StepRetryScheduled& event) {
  Run& run = state_.runs.at(event.run);
  set_work(run, OpenBackoff{.cursor = {}, .at = event.at});
  run.deadline.reset();
  ++run.attempt;
  run.offer = 1;
  wait_until(run, event.at);
}

// The attempt was counted when it was scheduled, or goes on.
void Applier::operator()(const AttemptStarted& event) {
  Run& run = state_.runs.at(event.run);
  Value cursor = std::holds_alternative<OpenBackoff>(run.work) ? std::get<OpenBackoff>(run.work).cursor : Value();
  ++run.offer;
  run.deadline = event.deadline;
  if (run.deadline) state_.watched.write().timers.add({*run.deadline, TimerKind::run_deadline, run.id.number});
  const Step& step = definition_.steps[run.step];
  if (step.type == StepType::task && !step.pure) {
    capture_inputs(run, std::move(cursor));
  } else {
    set_work(run, Deciding{});
  }
}

void Applier::operator()(const AttemptDeferred& event) {
  Run& run = state_.runs.at(event.run);
  set_work(run, OpenBackoff{.cursor = event.cursor, .at = event.at});
  ++run.offer;
  wait_until(run, event.at);
}

void Applier::operator()(const AttemptAdvanced& event) {
  std::get<OpenAttempt>(state_.runs.at(event.run).work).cursor = event.cursor;
}

void Applier::operator()(const AttemptReoffered& event) { ++state_.runs.at(event.run).offer; }

}  // namespace stepwell
