#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/outbox.h"
#include "stepwell/kernel/playbook/scene.h"

namespace stepwell {

using Refused = std::optional<Refusal>;

// What a run that waits for blobs asks for.
LoadBlobs load_blobs(const Run& run);

// Decides one command. Each family of commands and each part of the way from rest to rest has its own file. What is
// evaluated is evaluated before the first emit of its unit, so that a unit happens as a whole or as a failure. What is
// marked cold keeps the compiler from laying out failures in the middle of the usual course.
class Decider {
 public:
  Decider(const Definition& definition, Outbox& outbox, const Stamp& stamp, const Lookups& lookups)
      : definition_(definition),
        state_(outbox.state()),
        out_(outbox),
        lookups_(lookups),
        now_(stamp.time),
        ambient_{.stamp = stamp} {}

  // One for each command: refuses before the first emit, or emits. decide_*.cc
  Refused operator()(const Start& command);
  Refused operator()(const ReportAttempt& command);
  Refused operator()(const Wake& command);
  Refused operator()(const Yield& command);
  Refused operator()(const Signal& command);
  Refused operator()(const PatchCtx& command);
  Refused operator()(const ClaimTask& command);
  Refused operator()(const AssignTask& command);
  Refused operator()(const ReleaseTask& command);
  Refused operator()(const CompleteTask& command);
  Refused operator()(const Cancel& command);
  Refused operator()(const Suspend& command);
  Refused operator()(const Unsuspend& command);
  Refused operator()(const RetryRun& command);
  Refused operator()(const SkipRun& command);
  Refused operator()(const ReportChild& command);
  Refused operator()(const Delivered& command);
  Refused operator()(const Reoffer& command);
  Refused operator()(const Delete& command);
  Refused operator()(const BlobsLoaded& command);

  // Fires what can fire until everything waits.
  void run_to_rest();

  // The id of the command, where one matters: a signal is known by it.
  void set_command_id(std::string_view id) { command_id_ = id; }

 private:
  struct EndOfRun;
  struct Route;

  // drive.cc: tokens.
  bool met_bound() const;
  void look_at(TokenId id);
  enum class Arrival : std::uint8_t { ordinary, parks, overlaps, too_late };
  bool left_behind(const Scope& branch, const Join& join) const;
  Arrival arrival_of(const Token& token, const Join& join) const;
  enum class Gate : std::uint8_t { open, shut, failed };
  Gate ask_guard(const Token& token, const Step& step);
  std::expected<bool, Boxed<SceneError>> guard_holds(const Token& token, const Step& step);
  void touch(ScopeId scope) { touched_.push_back(scope); }
  bool close_touched();
  bool park_held();
  void park(TokenId id);
  void discard(TokenId id);

  // begin.cc: what a run begins with, by type.
  RunId start_run(TokenId token);
  bool ends_by_bound();
  [[gnu::cold]] void fail_at_start(TokenId token, RunError error);
  void begin(TokenId token);
  void begin_loop(RunId run);
  void begin_task(RunId run, const Value& cursor);
  void begin_human(RunId run);
  void begin_wait(RunId run);
  void begin_signal_wait(RunId run);
  void begin_call(RunId run);
  void begin_continue_with(RunId run);
  void begin_block(RunId run);
  void begin_terminate(RunId run);
  void offer(RunId run);
  std::optional<Instant> deadline_of(const Step& step, const Token& token) const;

  // end.cc: the one way for every run to end.
  void end_done(RunId run, EncodedValue output, const Patches& patches);
  [[gnu::cold]] void end_failed(RunId run, RunError error);
  OrFailure<void> plan_done(const Run& run, const EncodedValue& output, const Patches& patches, EndOfRun& end);
  OrFailure<void> check_ctx(const Value& ctx) const;
  void send_events(RunId run, const Value& events);
  OrFailure<void> check_output(const Run& run, const EncodedValue& output) const;
  ScopeId iteration_around(ScopeId scope) const;
  RunError named(RunError error, const Run& run) const;

  // route.cc: the arcs that a run takes.
  OrFailure<void> plan_route(const Scene& scene, const Step& step, std::uint8_t outcome, Route& route);
  OrFailure<bool> plan_arc(const Scene& scene, const Step& step, std::uint32_t arc, TakenArcs& taken);
  OrFailure<void> plan_args(const Scene& scene, const Step& step, std::uint32_t first, std::uint32_t total,
                            TakenArc& taken);
  void take_route(StepIndex step, ScopeId scope, Route& route);

  // failure.cc: the way outward of a failure that its step did not handle.
  bool raise_next();
  void raise(ScopeId scope, RunError error);
  bool handles(const Scene& scene, StepIndex step, const RunError& error);
  bool would_suspend(const Run& run, const RunError& error);
  [[gnu::cold]] void fail_execution(RunError error);

  // scopes.cc: what happens when a scope comes to rest, and cancellation.
  void close_scope(ScopeId scope);
  void settle_branch(ScopeId scope, Settled how, std::optional<RunError> error);
  void check_fan_out(FanOutId id);
  void end_loop(FanOutId id);
  void cancel_inside(ScopeId scope);
  void cancel_run(const Run& run);
  void cancel_branches(FanOutId id, bool abandon);

  // join.cc
  void fire_join(FanOutId id);
  void fail_join(FanOutId id, RunError error);
  OrFailure<Writes> plan_merge(const FanOut& fan_out, const Join& join);
  Value join_args(const FanOut& fan_out) const;
  OrFailure<Value> merged(const FanOut& fan_out, const Merge& merge);
  RunError unsatisfied(const FanOut& fan_out, const Join& join) const;

  // retry.cc
  [[gnu::cold]] bool schedule_retry(const Run& run, const RunError& error);
  void restart_attempt(RunId run);
  void time_out(RunId run);
  void time_out_join(FanOutId fan_out);
  void fire(Timer timer);

  // blobs.cc: what has to be looked at and is kept elsewhere.
  OrFailure<Value> items_in(const Value& collection, std::string_view what);
  [[gnu::cold]] bool await_blobs(RunId run, BlobWait wait);

  // Who a command is about.
  const Run* find_task(RunId run) const;
  std::expected<RunId, Refusal> find_parked(RunId run) const;
  void unsuspend_after_last();

  // signal.cc
  std::expected<bool, std::string> matches(const Run& run, const Value& signal);
  std::optional<Refusal> refuse_signal(const Signal& command) const;

  // complete.cc
  void complete();
  void finish(EndStatus status, std::optional<RunError> error);
  void terminate(RunId run, const Terminate& how);
  void end_execution(WorkflowEnded end);
  OrFailure<EncodedValue> plan_output();
  OrFailure<Value> render_output(const Mapping& mapping);
  OrFailure<EncodedValue> fitting_output(const Value& output) const;
  std::optional<RunError> check_final_ctx() const;
  Value final_summary(EndStatus status, const std::optional<RunError>& error) const;
  ScopeId detached_around(ScopeId scope) const;
  bool is_stalled();
  bool resolve_stall();
  bool gates_are_detached() const;
  void discard_gated();

  Scene scene_of(const Token& token) const {
    return {.definition = definition_, .state = state_, .scope = token.scope, .args = &token.args};
  }
  const Step& step_of(StepIndex step) const { return definition_.steps[step]; }
  bool active() const { return state_.phase == Phase::running || state_.phase == Phase::finishing; }

  const Definition& definition_;
  const State& state_;
  Outbox& out_;
  const Lookups& lookups_;
  Instant now_;
  Ambient ambient_;
  std::string_view command_id_;
  std::vector<ScopeId> touched_;                        // scopes that may have come to rest
  std::optional<std::pair<ScopeId, RunError>> raised_;  // a failure on its way outward
  std::vector<std::string> needed_;                     // blobs that what was just planned needs
  std::vector<std::string> at_hand_;                    // blobs that the command says are loaded
  std::size_t firings_ = 0;
  bool yielded_ = false;
};

}  // namespace stepwell
