#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/expr/operators.h"
#include "stepwell/kernel/playbook/end_of_run.h"
#include "stepwell/kernel/playbook/violation_text.h"
#include "stepwell/model/render_mapping.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

bool Decider::is_stalled() {
  if (state_.open_work != 0 || state_.watched->gates.empty()) return false;
  const Timer* timer = out_.earliest_timer();
  return timer == nullptr || timer->kind == TimerKind::execution_deadline;
}

// Whether every gated token is in a detached branch.
bool Decider::gates_are_detached() const {
  return std::ranges::all_of(state_.watched->gates.homes(),
                             [&](const auto& home) { return bool(detached_around(home.first)); });
}

// Only gated tokens are left. Whether that changed anything.
bool Decider::resolve_stall() {
  if (!is_stalled()) return false;
  const bool failing = state_.rarely != nullptr && state_.rarely->failure != nullptr;
  if (!failing && definition_.policy.on_stall == OnStall::wait) return false;
  // What belongs to nobody cannot make the execution fail, so it ends, and the execution with it.
  if (gates_are_detached()) {
    discard_gated();
  } else if (failing) {
    cancel_inside(kRootScope);
    finish(EndStatus::failed, *state_.rarely->failure);
  } else if (definition_.policy.on_stall == OnStall::fail) {
    fail_execution({.error_class = ErrorClass::engine,
                    .kind = "stalled",
                    .message = "only gated tokens are left, and nothing can open them"});
  } else {
    discard_gated();
  }
  return true;
}

void Decider::discard_gated() {
  std::vector<TokenId> gated;
  state_.tokens.each([&](const Token& token) {
    if (token.state == TokenState::gated) gated.push_back(token.id);
  });
  // What is touched last is closed first: the lowest goes first, as everywhere.
  for (const TokenId id : gated | std::views::reverse) touch(state_.tokens.at(id).scope);
  for (const TokenId id : gated) out_.emit(TokenDiscarded{id});
}

// The root has come to rest.
void Decider::complete() {
  const bool failing = state_.rarely != nullptr && state_.rarely->failure != nullptr;
  if (state_.phase == Phase::finishing) {
    if (!failing || state_.end_status == EndStatus::failed) return finish(state_.end_status, std::nullopt);
    const bool partial = definition_.policy.on_final_failure == OnFinalFailure::partial;
    return finish(partial ? EndStatus::partial : EndStatus::failed, *state_.rarely->failure);
  }
  if (!failing) return finish(EndStatus::completed, std::nullopt);
  const bool partial = definition_.policy.on_failure == OnFailure::partial && state_.ended_done;
  finish(partial ? EndStatus::partial : EndStatus::failed, *state_.rarely->failure);
}

// Every token has ended: the final step, if it has not run, and then the end.
void Decider::finish(EndStatus status, std::optional<RunError> error) {
  if (state_.phase == Phase::running && definition_.policy.final_step) {
    Value summary = final_summary(status, error);
    out_.emit(WorkflowFinishing{.status = status, .error = std::move(error)});
    out_.emit(TokenCreated{.token = state_.last_token.next(),
                           .step = *definition_.policy.final_step,
                           .scope = kRootScope,
                           .args = std::move(summary)});
    return;
  }
  if (!error && state_.rarely != nullptr && state_.rarely->end_error) error = **state_.rarely->end_error;
  auto output = plan_output();
  if (auto lacking = check_final_ctx(); output && lacking) output = std::unexpected(std::move(*lacking));
  if (!output) {
    if (status == EndStatus::completed || !error) error = std::move(*output.error());
    status = EndStatus::failed;
    output = EncodedValue();
  }
  end_execution({.status = status, .output = std::move(*output), .error = std::move(error)});
}

Value Decider::final_summary(EndStatus status, const std::optional<RunError>& error) const {
  std::vector<Member> counts;
  for (std::size_t i = 0; i < state_.run_counts.size(); ++i) {
    if (state_.run_counts[i] != 0) {
      counts.push_back({Value(definition_.steps[i].name), static_cast<std::int64_t>(state_.run_counts[i])});
    }
  }
  std::vector<Value> failures;
  if (state_.rarely != nullptr) {
    for (const auto& failure : state_.rarely->failures) failures.push_back(failure->to_value());
  }
  // One that no run had: the execution's own.
  if (failures.empty() && error) failures.push_back(error->to_value());
  return Value::map({{"execution", Value(state_.execution)},
                     {"status", Value(status_word(status))},
                     {"counts", Value::map(std::move(counts))},
                     {"results_ref", Value(fmt::format("execution:{}", state_.execution))},
                     {"failures", Value::list(std::move(failures))}});
}

// The output; an entry that reads a step that has not run is null.
OrFailure<Value> Decider::render_output(const Mapping& mapping) {
  const Scene scene{.definition = definition_, .state = state_, .scope = kRootScope};
  auto entry = [&](const Expression& expression) -> OrFailure<Value> {
    auto value = evaluate(scene, expression, ambient_);
    if (value) return std::move(*value);
    const std::optional<Path>& missing = value.error()->missing;
    const bool names_step = missing && missing->size() == 1 && (*missing)[0].is_key() &&
                            std::ranges::count(definition_.steps, (*missing)[0].key(), &Step::name) != 0;
    if (names_step) return Value();
    return std::unexpected(std::move(value.error()->error));
  };
  return render_mapping(mapping, entry);
}

OrFailure<EncodedValue> Decider::plan_output() {
  Value output;
  if (definition_.output) {
    auto rendered = render_output(*definition_.output);
    if (!rendered) return std::unexpected(std::move(rendered.error()));
    output = std::move(*rendered);
  }
  return fitting_output(output);
}

OrFailure<EncodedValue> Decider::fitting_output(const Value& output) const {
  if (output.depth() > limits::kDataDepth) return std::unexpected(too_deep("the output", limits::kDataDepth));
  if (!definition_.output_schema || definition_.output_schema->accepts(output)) return EncodedValue(output);
  return std::unexpected(RunError{.error_class = ErrorClass::transport,
                                  .kind = "schema",
                                  .message = fmt::format("the output does not fit its schema: {}",
                                                         violation_text(*definition_.output_schema, output))});
}

// Everything that ctx must have at the end.
std::optional<RunError> Decider::check_final_ctx() const {
  if (!definition_.ctx_schema || definition_.ctx_schema->accepts(state_.ctx)) return std::nullopt;
  return RunError{
      .error_class = ErrorClass::transport,
      .kind = "schema",
      .message = fmt::format("ctx does not fit its schema: {}", violation_text(*definition_.ctx_schema, state_.ctx))};
}

void Decider::terminate(RunId id, const Terminate& how) {
  const Run& run = state_.runs.at(id);
  const ScopeId scope = run.scope;
  const StepIndex step = run.step;
  Scene scene = scene_of(state_.tokens.at(run.token));
  scene.run = &run;
  auto ends = [&](const RunError& error) {
    out_.emit(StepFailed{.run = id, .error = named(error, run), .handled = false});
    if (const ScopeId branch = detached_around(scope)) {
      cancel_inside(branch);
      return settle_branch(branch, Settled::failed, error);
    }
    cancel_inside(kRootScope);
    end_execution({.status = EndStatus::failed, .error = error});
  };
  auto reason = render(scene, how.reason, ambient_);
  if (!reason) return ends(reason.error()->error);
  const std::string text = reason->is_text() ? std::string(reason->as_text()) : to_json(*reason);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return ends(
        {.error_class = ErrorClass::expression, .kind = "value", .message = "the reason to terminate is blank"});
  }
  OrFailure<EncodedValue> output = EncodedValue();
  if (how.output) {
    auto value = render(scene, *how.output, ambient_);
    if (!value) return ends(value.error()->error);
    if (value->is_text()) {
      auto read = parse_json(value->as_text());
      if (!read) {
        return ends({.error_class = ErrorClass::expression,
                     .kind = "value",
                     .message = fmt::format("output_template does not give JSON: {}", read.error().message)});
      }
      value = std::move(*read);
    }
    output = fitting_output(*value);
  } else {
    output = plan_output();
  }
  if (!output) return ends(*output.error());
  const RunError failure{.error_class = ErrorClass::transport, .kind = "terminated", .message = text};
  if (how.success) {
    out_.emit(StepDone{.run = id});
  } else {
    out_.emit(StepFailed{.run = id, .error = named(failure, run), .handled = true});
  }
  // In a branch that belongs to nobody it ends only that.
  if (const ScopeId branch = detached_around(scope)) {
    cancel_inside(branch);
    return settle_branch(branch, Settled::ended, std::nullopt);
  }
  cancel_inside(kRootScope);
  end_execution({.status = how.success ? EndStatus::completed : EndStatus::failed,
                 .output = std::move(*output),
                 .termination = Termination{.by = step, .reason = text}});
}

ScopeId Decider::detached_around(ScopeId scope) const {
  while (scope && !state_.scopes.at(scope).detached) scope = state_.scopes.at(scope).parent;
  return scope;
}

std::string_view status_word(EndStatus status) {
  switch (status) {
    case EndStatus::completed: return "completed";
    case EndStatus::failed: return "failed";
    case EndStatus::partial: return "partial";
    case EndStatus::cancelled: return "cancelled";
  }
  return "failed";
}

void Decider::end_execution(WorkflowEnded end) {
  if (state_.rarely != nullptr && state_.rarely->caller) {
    const Caller caller = *state_.rarely->caller;
    const auto& token = caller.waiting_token;
    const bool explicit_end = end.termination.has_value();
    const std::string& reason = explicit_end ? end.termination->reason : end.reason;
    out_.emit(MessageSent{
        .message = state_.last_message.next(),
        .kind = MessageKind::child_ended,
        .to = caller.execution,
        .content = Value::map(
            {{"run", static_cast<std::int64_t>(token.run.number)},
             {"attempt", static_cast<std::int64_t>(token.attempt)},
             {"offer", static_cast<std::int64_t>(token.offer)},
             {"output", end.output.decode()},
             {"child", Value::map({{"execution", Value(state_.execution)},
                                   {"version", state_.playbook_version},
                                   {"status", Value(status_word(end.status))},
                                   {"reason", reason.empty() ? Value() : Value(reason)},
                                   {"terminated_by", explicit_end ? Value(step_of(end.termination->by).name) : Value()},
                                   {"error", end.error ? (*end.error)->to_value() : Value()}})}})});
  }
  out_.emit(std::move(end));
}

}  // namespace stepwell
