#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/rng.h"
#include "stepwell/kernel/playbook/decider.h"
#include "stepwell/model/pipeline.h"

namespace stepwell {

namespace {

bool covers(const Retry& retry, const RunError& error) {
  if (retry.on.empty()) return error.retryable || error.error_class == ErrorClass::timeout;
  return std::ranges::count(retry.on, class_word(error.error_class)) != 0 ||
         std::ranges::count(retry.on, error.kind) != 0;
}

}  // namespace

bool Decider::schedule_retry(const Run& run, const RunError& error) {
  const std::optional<Retry>& retry = step_of(run.step).retry;
  if (!retry || run.attempt >= static_cast<std::uint64_t>(retry->max_attempts) || !covers(*retry, error)) return false;
  const double unit = retry->jitter == 0 ? 0.5 : random_unit(ambient_.stamp.entropy, ambient_.draws++);
  const auto at = checked_add(now_, std::max(backoff_delay(*retry, run.attempt + 1, unit), retry_after(error.details)));
  if (!at) return false;
  out_.emit(StepRetryScheduled{.run = run.id, .error = named(error, run), .at = *at});
  return true;
}

// The time of a backoff has come: the attempt begins, or a pipeline goes on where it was.
void Decider::restart_attempt(RunId id) {
  const Run& run = state_.runs.at(id);
  const Step& step = step_of(run.step);
  const Value cursor = std::get<OpenBackoff>(run.work).cursor;
  const bool goes_on = !cursor.is_null();
  const auto deadline = goes_on ? run.deadline : deadline_of(step, state_.tokens.at(run.token));
  out_.emit(AttemptStarted{.run = id, .deadline = deadline});
  if (step.type == StepType::call) return begin_call(id);
  begin_task(id, cursor);
}

// The deadline of a run has passed.
void Decider::time_out(RunId id) {
  const Run& run = state_.runs.at(id);
  const Step& step = step_of(run.step);
  RunError error{.error_class = ErrorClass::timeout};
  auto say = [&](std::string_view kind, std::string_view what) {
    error.kind = kind;
    error.message = fmt::format("{} took longer than {}", what, step.timeout->str());
  };
  switch (step.type) {
    case StepType::task:
      say("attempt", "the attempt");
      error.retryable = true;
      break;
    case StepType::human:
      say("task", "the task");
      out_.emit(TaskExpired{id});
      if (step.human->go_on_after_timeout) return end_done(id, {}, {});
      return end_failed(id, std::move(error));
    case StepType::wait:
      say("signal", fmt::format("the wait for '{}'", step.wait->signal));
      if (step.wait->go_on_after_timeout) return end_done(id, {}, {});
      return end_failed(id, std::move(error));
    case StepType::call: say("child", "the called execution"); break;
    case StepType::block: {
      say("block", "the block");
      const ScopeId scope = std::get<OpenBlock>(run.work).scope;
      cancel_inside(scope);
      out_.emit(BlockClosed{scope});
      return end_failed(id, std::move(error));
    }
    case StepType::continue_with:
    case StepType::terminate: return;
  }
  if (std::holds_alternative<OpenAttempt>(run.work)) out_.ask(CancelAttempt{run.waiting_token()});
  if (const auto* call = std::get_if<OpenCall>(&run.work)) {
    out_.emit(MessageSent{.message = state_.last_message.next(),
                          .kind = MessageKind::cancel_child,
                          .run = id,
                          .to = std::string(call->child)});
  }
  if (!schedule_retry(state_.runs.at(id), error)) end_failed(id, std::move(error));
}

}  // namespace stepwell
