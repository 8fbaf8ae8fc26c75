#pragma once

#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// One overload for each event, in apply_*.cc by family, and what they share.
class Applier {
 public:
  Applier(const Definition& definition, State& state) : definition_(definition), state_(state) {}

  void operator()(const WorkflowStarted& event);
  void operator()(const WorkflowEnded& event);
  void operator()(const WorkflowFailing& event);
  void operator()(const WorkflowSuspended& event);
  void operator()(const WorkflowUnsuspended& event);
  void operator()(const WorkflowFinishing& event);
  void operator()(const WorkflowYielded& event);
  void operator()(const WorkflowDeleted& event);
  void operator()(const CommandAccepted& event);

  void operator()(const TokenCreated& event);
  void operator()(const TokenArgs& event);
  void operator()(const TokenGated& event);
  void operator()(const TokenDiscarded& event);
  void operator()(const TokenParked& event);

  void operator()(const StepStarted& event);
  void operator()(const StepDone& event);
  void operator()(const StepFailed& event);
  void operator()(const StepCancelled& event);
  void operator()(const StepParked& event);
  void operator()(const StepRetryScheduled& event);
  void operator()(const AttemptStarted& event);
  void operator()(const AttemptDeferred& event);
  void operator()(const AttemptReoffered& event);
  void operator()(const AttemptAdvanced& event);
  void operator()(const StepRetried& event);

  void operator()(const CtxSet& event);
  void operator()(const CtxSet& event, Value&& root_ctx);
  void operator()(const CtxPatched& event);
  void operator()(const IterSet& event);
  void operator()(const ReferenceSet& event);

  void operator()(const NextSelected& event);
  void operator()(const FanOutOpened& event);
  void operator()(const LoopOpened& event);
  void operator()(const BranchOpened& event);
  void operator()(const BranchSettled& event);
  void operator()(const BranchDetached& event);
  void operator()(const FanOutClosed& event);
  void operator()(const BlockOpened& event);
  void operator()(const BlockClosed& event);

  void operator()(const TimerStarted& event);
  void operator()(const SignalReceived& event);
  void operator()(const SignalAwaited& event);
  void operator()(const SignalTaken& event);
  void operator()(const SignalMismatched& event);
  void operator()(const TaskCreated& event);
  void operator()(const TaskAssigned& event);
  void operator()(const TaskReleased& event);
  void operator()(const TaskCompleted& event);
  void operator()(const TaskExpired& event);
  void operator()(const TaskCancelled& event);
  void operator()(const MessageSent& event);
  void operator()(const MessageDelivered& event);
  void operator()(const ChildEnded& event);
  void operator()(const BlobsAwaited& event);

 private:
  Rarely& rarely();

  // Tokens: in apply_token.cc.
  void add_token(TokenId id, StepIndex step, ScopeId scope, Value args, bool past_join, bool is_body);
  void to_agenda(TokenId id);
  void ungate(Token& token);
  void unlink(const Token& token, Scope& scope);
  void remove_token(Token& token);

  // Runs: in apply_step.cc.
  template <typename Of>
  void set_work(Run& run, Of work) {
    set_work<Of>(run) = std::move(work);
  }
  template <typename Of>
  Of& set_work(Run& run) {
    forget_work(run);
    Of& work = run.work.emplace<Of>();
    note_work(run);
    return work;
  }
  void note_work(const Run& run) {
    state_.open_work += is_open(run.work);
    if (std::holds_alternative<OpenSignal>(run.work)) [[unlikely]]
      state_.watched.write().signal_waits.add(awaited(run), run.token, run.id);
  }
  void forget_work(const Run& run) {
    state_.open_work -= is_open(run.work);
    if (std::holds_alternative<OpenSignal>(run.work)) [[unlikely]]
      state_.watched.write().signal_waits.remove(awaited(run), run.token, run.id);
  }
  void erase_run(Run& run);
  const std::string& awaited(const Run& run) const { return definition_.steps[run.step].wait->signal; }
  void path_ended(ScopeId scope);
  void end_run(Run& run, const EncodedValue& output, const std::shared_ptr<const RunError>& error);
  void capture_inputs(Run& run, Value cursor);
  void wait_until(const Run& run, Instant at);

  // Scopes: in apply_scope.cc.
  Scope& add_scope(Scope scope);
  void link(Scope& scope);
  void unlink(const Scope& scope);
  void move_scope(Scope& scope, ScopeId parent);
  void close_into_parent(ScopeId id);
  void drop_contents(ScopeId id);
  void drop_scope(ScopeId id);
  void open(FanOut fan_out);
  void erase_fan_out(FanOutId id);
  void freeze(Scope& scope);
  void may_open(FanOut& fan_out);
  void settle_iteration(FanOut& fan_out, const Scope& scope, const BranchSettled& event);

  // What gated tokens may see change, if there are any: in apply_gates.cc.
  bool any_gated() const {
    const Watched* watched = state_.watched.get();
    return watched != nullptr && !watched->gates.empty();
  }
  void ctx_changed(ScopeId home, const Path& path) {
    if (any_gated()) recheck_ctx(home, path);
  }
  void step_changed(ScopeId scope, StepIndex step) {
    if (any_gated()) recheck_step(scope, step);
  }
  void iter_changed(ScopeId scope) {
    if (any_gated()) recheck_iter(scope);
  }
  void recheck_ctx(ScopeId home, const Path& path);
  void recheck_step(ScopeId scope, StepIndex step);
  void recheck_iter(ScopeId scope);
  bool lies_in(ScopeId home, ScopeId outer) const;
  template <typename Sees>
  void recheck(ScopeId home, bool in_ctx, Sees sees);

  const Definition& definition_;
  State& state_;
};

}  // namespace stepwell
