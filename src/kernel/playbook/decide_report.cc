#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/kernel/depth.h"
#include "stepwell/kernel/playbook/decider.h"

namespace stepwell {

namespace {

bool are_events(const Value& emitted) {
  if (!emitted.is_list()) return emitted.is_null();
  return std::ranges::all_of(emitted.as_list(), [](const Value& each) {
    const Value* event = each.find("event");
    return event != nullptr && event->is_text();
  });
}

// Patches and a cursor hold data in something of their own.
bool is_too_deep(const ReportAttempt& report) {
  return depth_of(report.output) > limits::kDataDepth || depth_of(report.error) > limits::kDataDepth ||
         depth_of(report.patches) > limits::kCtxDepth || depth_of(report.cursor) > limits::kCtxDepth;
}

Refusal stale() { return {RefusalCode::stale, "nobody waits for this any more"}; }

}  // namespace

Refused Decider::operator()(const ReportAttempt& command) {
  const Run* run = state_.runs.find(command.waiting_token.run);
  if (run == nullptr || run->waiting_token() != command.waiting_token ||
      !std::holds_alternative<OpenAttempt>(run->work)) {
    return stale();
  }
  const RunId id = run->id;
  if (!are_events(command.patches.emitted)) {
    return Refusal{RefusalCode::invalid, "what was emitted must be a list of {event, value, key}"};
  }
  if (is_too_deep(command)) {
    end_failed(id, {.error_class = ErrorClass::transport,
                    .kind = "depth",
                    .message = fmt::format("what came back nests deeper than {} levels", limits::kDataDepth)});
    return std::nullopt;
  }
  switch (command.outcome) {
    case Outcome::done: end_done(id, command.output, command.patches); break;
    case Outcome::failed:
      if (!command.error) return Refusal{RefusalCode::invalid, "a failed report carries its error"};
      if (!schedule_retry(*run, **command.error)) end_failed(id, **command.error);
      break;
    case Outcome::deferred: {
      const auto at = checked_add(now_, command.delay);
      if (!at || command.cursor.is_null())
        return Refusal{RefusalCode::invalid, "a deferred report says where and when"};
      out_.emit(AttemptDeferred{.run = id, .cursor = command.cursor, .at = *at});
      break;
    }
  }
  return std::nullopt;
}

Refused Decider::operator()(const Reoffer& command) {
  const Run* run = state_.runs.find(command.waiting_token.run);
  if (run == nullptr || run->waiting_token() != command.waiting_token ||
      !std::holds_alternative<OpenAttempt>(run->work)) {
    return stale();
  }
  const RunId id = run->id;
  out_.emit(AttemptReoffered{id});
  offer(id);
  return std::nullopt;
}

Refused Decider::operator()(const ReportChild& command) {
  const Run* run = state_.runs.find(command.waiting_token.run);
  if (run == nullptr || run->waiting_token() != command.waiting_token || !std::holds_alternative<OpenCall>(run->work)) {
    return stale();
  }
  const RunId id = run->id;
  const Callee& callee = *step_of(run->step).callee;
  const Value* status = command.child.find("status");
  const Value* terminated_by = command.child.find("terminated_by");
  const std::string word = status != nullptr && status->is_text() ? std::string(status->as_text()) : "refused";
  const bool terminated = terminated_by != nullptr && !terminated_by->is_null();
  out_.emit(ChildEnded{.run = id, .child = command.child});
  if (word == "refused") {
    const Value* reason = command.child.find("reason");
    RunError error{
        .error_class = ErrorClass::transport,
        .kind = "child_refused",
        .message = fmt::format(
            "'{}' could not be started{}", callee.playbook,
            reason != nullptr && reason->is_text() ? fmt::format(": {}", reason->as_text()) : std::string())};
    if (!schedule_retry(state_.runs.at(id), error)) end_failed(id, std::move(error));
    return std::nullopt;
  }
  const bool done = terminated ? !callee.fail_on_terminate : (word == "completed" || callee.catch_failure);
  if (done) {
    end_done(id, command.output, {});
    return std::nullopt;
  }
  const Value* cause = command.child.find("error");
  RunError error{.error_class = ErrorClass::transport,
                 .kind = "child_failed",
                 .message = fmt::format("'{}' ended as {}", callee.playbook, word),
                 .details = cause == nullptr ? Value() : *cause};
  if (!schedule_retry(state_.runs.at(id), error)) end_failed(id, std::move(error));
  return std::nullopt;
}

Refused Decider::operator()(const Delivered& command) {
  if (state_.rarely == nullptr || state_.rarely->outbox.find(command.message) == nullptr) return stale();
  out_.emit(MessageDelivered{command.message});
  return std::nullopt;
}

// All timers that are due, the earliest first, each followed by what it leads to.
Refused Decider::operator()(const Wake&) {
  const Timer* due = out_.earliest_timer();
  if (due == nullptr || due->at > now_) return stale();
  for (; due != nullptr && due->at <= now_ && active(); due = out_.earliest_timer()) {
    fire(*due);
    run_to_rest();
    if (yielded_) break;
  }
  return std::nullopt;
}

void Decider::fire(Timer timer) {
  switch (timer.kind) {
    case TimerKind::execution_deadline: {
      RunError error{.error_class = ErrorClass::timeout,
                     .kind = "execution",
                     .message = fmt::format("the execution took longer than {}", definition_.policy.timeout->str())};
      return fail_execution(std::move(error));
    }
    case TimerKind::join_deadline: return time_out_join({timer.id});
    case TimerKind::run_deadline: return time_out({timer.id});
    case TimerKind::run_wake: break;
  }
  const Run& run = state_.runs.at({timer.id});
  if (std::holds_alternative<OpenBackoff>(run.work)) return restart_attempt(run.id);
  const Step& step = step_of(run.step);
  const Value waited = step.wait->duration ? Value(step.wait->duration->str()) : Value(timer.at.str());
  end_done(run.id, EncodedValue(Value::map({{"waited", waited}})), {});
}

void Decider::time_out_join(FanOutId id) {
  const FanOut& fan_out = state_.fan_outs->at(id);
  const Join& join = *step_of(*step_of(fan_out.step).joined_by).join;
  if (join.proceed_on_timeout) return fire_join(id);
  fail_join(id, {.error_class = ErrorClass::timeout,
                 .kind = "join",
                 .message = fmt::format("after {}, {} of {} branches of '{}' have arrived", join.timeout->str(),
                                        fan_out.arrived.size(), fan_out.total, step_of(fan_out.step).name)});
}

// What the bound of the last decision left over is decided by whoever drives the decision.
Refused Decider::operator()(const Yield&) {
  if (!state_.yielded()) return stale();
  return std::nullopt;
}

}  // namespace stepwell
