#include "stepwell/kernel/playbook/apply.h"

#include "stepwell/kernel/playbook/applier.h"

namespace stepwell {

void apply(const Definition& definition, State& state, const Event& event) {
  std::visit(Applier(definition, state), event);
}

void end_commit(State& state) {
  ++state.version;
  if (state.suspended || state.yielded()) return;
  // At rest nothing is left to be looked at, whether it was looked at just now or when this was decided.
  for (const TokenId id : state.agenda) {
    Token* token = state.tokens.find(id);
    if (token != nullptr && token->state == TokenState::recheck) token->state = TokenState::gated;
  }
  state.agenda.clear();
}

Rarely& Applier::rarely() {
  if (state_.rarely == nullptr) state_.rarely = std::make_unique<Rarely>();
  return *state_.rarely;
}

void Applier::operator()(const WorkflowStarted& event) {
  CHECK(state_.phase == Phase::none);
  state_.execution = event.execution;
  state_.playbook = event.playbook;
  state_.playbook_version = event.version;
  state_.phase = Phase::running;
  state_.started_at = event.at;
  state_.workload = event.workload;
  state_.reference = event.reference;
  state_.run_counts.resize(definition_.steps.size());
  if (event.caller) rarely().caller = event.caller;
  if (event.depth != 0) rarely().depth = event.depth;
  if (definition_.policy.timeout) {
    state_.deadline = checked_add(event.at, *definition_.policy.timeout);
    if (state_.deadline) state_.watched.write().timers.add({*state_.deadline, TimerKind::execution_deadline, 0});
  }
  Scope& root = state_.scopes.add(Scope{.id = kRootScope, .kind = ScopeKind::root, .home = kRootScope});
  state_.last_scope = root.id;
}

void Applier::operator()(const WorkflowEnded& event) {
  state_.phase = Phase::ended;
  state_.end_status = event.status;
  state_.output = event.output;
  state_.suspended = false;
  if (event.error) rarely().end_error = event.error;
  if (event.termination) rarely().termination = event.termination;
  if (state_.rarely != nullptr) state_.rarely->signals.clear();
  state_.deadline.reset();
  state_.tokens = {};
  state_.runs = {};
  state_.scopes = {};
  state_.fan_outs.clear();
  state_.detached = 0;
  state_.agenda.clear();
  state_.watched.clear();
}

void Applier::operator()(const WorkflowFailing& event) {
  Rarely& rare = rarely();
  if (rare.failure == nullptr) rare.failure = event.error.pointer();
}

void Applier::operator()(const WorkflowSuspended&) { state_.suspended = true; }

// The timers of attempts that were held may have been dropped.
void Applier::operator()(const WorkflowUnsuspended&) {
  state_.suspended = false;
  state_.runs.each([this](const Run& run) {
    if (const auto* backoff = std::get_if<OpenBackoff>(&run.work)) wait_until(run, backoff->at);
  });
}

void Applier::operator()(const WorkflowFinishing& event) {
  state_.phase = Phase::finishing;
  state_.end_status = event.status;
  state_.deadline.reset();
  if (event.error) rarely().end_error = event.error;
  drop_contents(kRootScope);
  // What fails from now on is the final step.
  if (state_.rarely != nullptr) state_.rarely->failure = nullptr;
}

void Applier::operator()(const WorkflowYielded&) { state_.yielded_at = state_.version + 1; }

void Applier::operator()(const WorkflowDeleted&) {
  state_.phase = Phase::deleted;
  state_.output = {};
}

void Applier::operator()(const CommandAccepted& event) {
  Rarely& rare = rarely();
  if (rare.accepted.size() == limits::kAcceptedCommands) rare.accepted.pop_front();
  rare.accepted.push_back({event.id, state_.version + 1});
}

}  // namespace stepwell
