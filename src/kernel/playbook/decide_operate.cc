#include <fmt/format.h>

#include "stepwell/kernel/playbook/decider.h"
#include "stepwell/kernel/playbook/violation_text.h"
#include "stepwell/value/merge.h"

namespace stepwell {

Refused Decider::operator()(const Start& command) {
  if (definition_.policy.callable_only && !command.caller) {
    return Refusal{RefusalCode::not_allowed,
                   fmt::format("'{}' can only be called by another playbook", definition_.name)};
  }
  if (!command.workload.is_map() && !command.workload.is_null()) {
    return Refusal{RefusalCode::invalid, "the workload must be a map"};
  }
  WorkflowStarted started{.execution = command.execution,
                          .playbook = definition_.name,
                          .version = command.version,
                          .workload = command.workload.is_null() ? definition_.workload
                                                                 : deep_merge(definition_.workload, command.workload),
                          .reference = command.reference,
                          .caller = command.caller,
                          .depth = command.depth,
                          .at = now_};
  if (definition_.workload_schema && !definition_.workload_schema->accepts(started.workload)) {
    return Refusal{RefusalCode::invalid, fmt::format("the workload does not fit its schema: {}",
                                                     violation_text(*definition_.workload_schema, started.workload))};
  }
  if (definition_.reference) {
    State empty;
    empty.execution = started.execution;
    empty.playbook = started.playbook;
    empty.playbook_version = started.version;
    empty.started_at = now_;
    empty.workload = started.workload;
    empty.scopes.add(Scope{.id = kRootScope, .home = kRootScope});
    auto reference =
        render({.definition = definition_, .state = empty, .scope = kRootScope}, *definition_.reference, ambient_);
    if (!reference) return Refusal{RefusalCode::invalid, reference.error()->error.message};
    started.reference = std::move(*reference);
  }
  out_.emit(std::move(started));
  out_.emit(TokenCreated{.token = {1}, .step = definition_.policy.entry_step, .scope = kRootScope});
  return std::nullopt;
}

Refused Decider::operator()(const PatchCtx& command) {
  if (!command.patch.is_map()) return Refusal{RefusalCode::invalid, "a patch of ctx must be a map"};
  if (command.patch.find("_last_error") != nullptr) {
    return Refusal{RefusalCode::invalid, "'_last_error' is only read, not part of ctx"};
  }
  const Value patched = merge_patch(state_.ctx, command.patch);
  if (auto fits = check_ctx(patched); !fits) return Refusal{RefusalCode::invalid, fits.error()->message};
  out_.emit(CtxPatched{command.patch});
  return std::nullopt;
}

Refused Decider::operator()(const Cancel& command) {
  cancel_inside(kRootScope);
  end_execution({.status = EndStatus::cancelled, .reason = command.reason});
  return std::nullopt;
}

Refused Decider::operator()(const Suspend& command) {
  if (state_.suspended) return Refusal{RefusalCode::not_allowed, "the execution is suspended already"};
  out_.emit(WorkflowSuspended{command.reason});
  return std::nullopt;
}

Refused Decider::operator()(const Unsuspend&) {
  if (!state_.suspended) return Refusal{RefusalCode::not_allowed, "the execution is not suspended"};
  out_.emit(WorkflowUnsuspended{});
  return std::nullopt;
}

// The run whose failure is parked; unsuspends with the last of them.
std::expected<RunId, Refusal> Decider::find_parked(RunId id) const {
  const Run* run = state_.runs.find(id);
  if (run == nullptr || !std::holds_alternative<ParkedFailure>(run->work)) {
    return std::unexpected(Refusal{RefusalCode::not_found, "there is no parked failure of that run"});
  }
  return id;
}

void Decider::unsuspend_after_last() {
  bool more = false;
  state_.runs.each([&](const Run& run) { more = more || std::holds_alternative<ParkedFailure>(run.work); });
  if (!more && state_.suspended) out_.emit(WorkflowUnsuspended{});
}

namespace {

bool is_of_join(std::string_view kind) { return kind == "join_unsatisfied" || kind == "join" || kind == "merge"; }

// Whether it is the join that failed, not what its step does after it. Another error may have come in the way of that
// one, which is its cause then.
bool run_failed_in_join(const Run& run) {
  const RunError& error = *std::get<ParkedFailure>(run.work).error;
  if (is_of_join(error.kind)) return true;
  const Value* cause = error.details.find("cause");
  const Value* kind = cause == nullptr ? nullptr : cause->find("kind");
  return kind != nullptr && kind->is_text() && is_of_join(kind->as_text());
}

}  // namespace

Refused Decider::operator()(const RetryRun& command) {
  const auto parked = find_parked(command.run);
  if (!parked) return parked.error();
  const Run& run = state_.runs.at(command.run);
  const bool joins = step_of(run.step).join && state_.tokens.at(run.token).past_join;
  if (joins && run_failed_in_join(run)) {
    return Refusal{RefusalCode::not_allowed,
                   "the branches of this join are gone, so it cannot be tried again; skip it"};
  }
  out_.emit(StepRetried{command.run});
  unsuspend_after_last();
  return std::nullopt;
}

Refused Decider::operator()(const SkipRun& command) {
  const auto parked = find_parked(command.run);
  if (!parked) return parked.error();
  if (const auto fits = check_output(state_.runs.at(command.run), command.output); !fits) {
    return Refusal{RefusalCode::invalid, fits.error()->message};
  }
  end_done(command.run, command.output, {});
  unsuspend_after_last();
  return std::nullopt;
}

Refused Decider::operator()(const Delete&) {
  if (state_.phase != Phase::ended) return Refusal{RefusalCode::not_allowed, "only an ended execution can be deleted"};
  if (state_.rarely != nullptr && !state_.rarely->outbox.empty()) {
    return Refusal{RefusalCode::not_allowed, "its last messages are not delivered yet"};
  }
  out_.emit(WorkflowDeleted{});
  return std::nullopt;
}

}  // namespace stepwell
