#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/sha256.h"
#include "stepwell/kernel/playbook/end_of_run.h"
#include "stepwell/kernel/playbook/pure_pipeline.h"

namespace stepwell {

std::optional<Instant> Decider::deadline_of(const Step& step, const Token& token) const {
  if (!step.timeout || (step.loop && !token.is_body)) return std::nullopt;
  return checked_add(now_, *step.timeout);
}

namespace {

// Whether what is sent to a worker holds ctx.
bool reads_ctx(const Step& step) {
  return std::ranges::any_of(step.attempt_reads,
                             [](const AttemptRead& read) { return read.name.kind == NameKind::ctx; });
}

}  // namespace

RunId Decider::start_run(TokenId token) {
  const RunId run = state_.last_run.next();
  const Token& starting = state_.tokens.at(token);
  out_.emit(StepStarted{.run = run,
                        .token = token,
                        .step = starting.step,
                        .ordinal = state_.run_counts[starting.step] + 1,
                        .deadline = deadline_of(step_of(starting.step), starting)});
  return run;
}

// Whether the execution has had all the runs that it may have: then this one ends it instead.
bool Decider::ends_by_bound() {
  const auto bound = static_cast<std::uint64_t>(definition_.policy.max_step_runs);
  if (state_.phase != Phase::running || state_.runs_started < bound) return false;
  fail_execution({.error_class = ErrorClass::engine,
                  .kind = "max_step_runs",
                  .message = fmt::format("more than {} step runs; raise executor.spec.max_step_runs if that is meant",
                                         definition_.policy.max_step_runs)});
  return true;
}

void Decider::fail_at_start(TokenId token, RunError error) {
  if (ends_by_bound()) return;
  const RunId run = start_run(token);
  end_failed(run, std::move(error));
}

void Decider::begin(TokenId id) {
  const Token& token = state_.tokens.at(id);
  const Step& step = step_of(token.step);
  const bool loops = step.loop && !token.is_body;
  if (ends_by_bound()) return;
  if (reads_ctx(step) && !loops) {
    if (auto seen = visible_ctx(state_, token.scope); !seen) return fail_at_start(id, std::move(*seen.error()));
  }
  const RunId run = start_run(id);
  if (loops) return begin_loop(run);
  switch (step.type) {
    case StepType::task: return begin_task(run, {});
    case StepType::human: return begin_human(run);
    case StepType::wait: return begin_wait(run);
    case StepType::call: return begin_call(run);
    case StepType::continue_with: return begin_continue_with(run);
    case StepType::block: return begin_block(run);
    case StepType::terminate: return begin_terminate(run);
  }
}

void Decider::offer(RunId id) {
  const Run& run = state_.runs.at(id);
  const auto& attempt = std::get<OpenAttempt>(run.work);
  out_.ask(OfferAttempt{.waiting_token = run.waiting_token(),
                        .step = run.step,
                        .ordinal = run.ordinal,
                        .inputs = attempt.inputs,
                        .cursor = attempt.cursor,
                        .deadline = run.deadline});
}

// What comes before the first tool is decided here; a worker goes on from there.
void Decider::begin_task(RunId id, const Value& cursor) {
  const Run& run = state_.runs.at(id);
  const Step& step = step_of(run.step);
  if (step.blank) return end_done(id, {}, {});
  if (!step.pure && cursor.is_null() && !step.pipeline.front().pure) return offer(id);
  Scene scene = scene_of(state_.tokens.at(run.token));
  scene.run = &run;
  const auto* attempt = std::get_if<OpenAttempt>(&run.work);
  const Value inputs = attempt == nullptr ? attempt_inputs(scene, step) : attempt->inputs;
  auto got = run_pure_tasks(step, inputs, cursor, ambient_);
  if (!got) {
    if (!schedule_retry(run, *got.error())) end_failed(id, std::move(*got.error()));
    return;
  }
  switch (got->kind) {
    case PipelinePause::Kind::done: return end_done(id, std::move(got->output), got->patches);
    case PipelinePause::Kind::tool:
      if (!got->cursor.is_null()) out_.emit(AttemptAdvanced{.run = id, .cursor = std::move(got->cursor)});
      return offer(id);
    case PipelinePause::Kind::later: {
      const auto at = checked_add(now_, got->delay);
      return out_.emit(AttemptDeferred{.run = id, .cursor = std::move(got->cursor), .at = at.value_or(now_)});
    }
  }
}

void Decider::begin_loop(RunId id) {
  const Run& run = state_.runs.at(id);
  const Step& step = step_of(run.step);
  Scene scene = scene_of(state_.tokens.at(run.token));
  scene.run = &run;
  auto collection = render(scene, step.loop->in, ambient_);
  if (!collection) return end_failed(id, std::move(collection.error()->error));
  auto items = items_in(*collection, "loop.in");
  if (!items) {
    if (!await_blobs(id, {})) end_failed(id, std::move(*items.error()));
    return;
  }
  const FanOutId fan_out = state_.last_fan_out.next();
  out_.emit(LoopOpened{.fan_out = fan_out, .run = id, .items = std::move(*items)});
  check_fan_out(fan_out);
}

void Decider::begin_human(RunId id) {
  const Run& run = state_.runs.at(id);
  const Human& human = *step_of(run.step).human;
  Scene scene = scene_of(state_.tokens.at(run.token));
  scene.run = &run;
  TaskCreated created{.run = id};
  std::string assignee;
  auto rendered = [&](const std::optional<Mapping>& mapping) -> Evaluated {
    return mapping ? render(scene, *mapping, ambient_) : Evaluated(Value());
  };
  auto title = rendered(human.title);
  auto payload = rendered(human.payload);
  auto given = rendered(human.assignee);
  for (const Evaluated* part : {&title, &payload, &given}) {
    if (!*part) return end_failed(id, part->error()->error);
  }
  created.title = std::move(*title);
  created.payload = std::move(*payload);
  if (!given->is_text() && !given->is_null()) {
    return end_failed(id, {.error_class = ErrorClass::expression,
                           .kind = "type",
                           .message = fmt::format("the assignee must be text, not {}", kind_name(given->kind()))});
  }
  if (given->is_text()) assignee = given->as_text();
  out_.emit(std::move(created));
  if (!assignee.empty()) out_.emit(TaskAssigned{.run = id, .assignee = std::move(assignee)});
}

void Decider::begin_wait(RunId id) {
  const Run& run = state_.runs.at(id);
  const Wait& wait = *step_of(run.step).wait;
  if (!wait.signal.empty()) return begin_signal_wait(id);
  std::optional<Instant> at;
  if (wait.duration) {
    at = checked_add(now_, *wait.duration);
  } else {
    Scene scene = scene_of(state_.tokens.at(run.token));
    scene.run = &run;
    const auto until = evaluate(scene, *wait.until, ambient_);
    if (!until) return end_failed(id, until.error()->error);
    const auto instant = until->is_text() ? Instant::parse(until->as_text()) : std::unexpected(TextError{});
    if (instant) at = *instant;
  }
  if (!at) {
    return end_failed(id, {.error_class = ErrorClass::expression,
                           .kind = "value",
                           .message = "'until' must be an instant such as 2026-01-02T03:04:05Z"});
  }
  out_.emit(TimerStarted{.run = id, .at = *at});
}

void Decider::begin_call(RunId id) {
  const Run& run = state_.runs.at(id);
  const Callee& callee = *step_of(run.step).callee;
  if (state_.rarely != nullptr && state_.rarely->depth + 1 >= limits::kCallDepth) {
    return end_failed(id, {.error_class = ErrorClass::transport,
                           .kind = "child_refused",
                           .message = fmt::format("calls are nested {} deep", limits::kCallDepth)});
  }
  Scene scene = scene_of(state_.tokens.at(run.token));
  scene.run = &run;
  auto input = callee.input ? render(scene, *callee.input, ambient_) : Evaluated(Value::map({}));
  if (!input) return end_failed(id, std::move(input.error()->error));
  // The same child for every delivery of this message, another one for every attempt.
  const std::string name = fmt::format("{}/{}/{}", state_.execution, id.number, run.attempt);
  const std::string child = sha256(name).to_hex().substr(0, 32);
  out_.emit(MessageSent{
      .message = state_.last_message.next(),
      .kind = MessageKind::start_child,
      .run = id,
      .to = child,
      .content =
          Value::map({{"playbook", Value(callee.playbook)},
                      {"version", callee.version ? Value(*callee.version) : Value()},
                      {"input", std::move(*input)},
                      {"depth", static_cast<std::int64_t>(state_.rarely == nullptr ? 1 : state_.rarely->depth + 1)},
                      {"reference", state_.reference},
                      {"inherit_artifacts", callee.inherit_artifacts}})});
}

void Decider::begin_continue_with(RunId id) {
  const Run& run = state_.runs.at(id);
  const Callee& callee = *step_of(run.step).callee;
  Scene scene = scene_of(state_.tokens.at(run.token));
  scene.run = &run;
  auto input = callee.input ? render(scene, *callee.input, ambient_) : Evaluated(Value::map({}));
  if (!input) return end_failed(id, std::move(input.error()->error));
  const std::string next = sha256(fmt::format("{}/{}/next", state_.execution, id.number)).to_hex().substr(0, 32);
  const EncodedValue output(Value::map({{"execution", Value(next)}}));
  // The message is sent only if the run will be done.
  EndOfRun end;
  auto planned = plan_done(run, output, {}, end);
  if (!planned && needed_.empty()) return end_failed(id, std::move(*planned.error()));
  needed_.clear();
  out_.emit(MessageSent{.message = state_.last_message.next(),
                        .kind = MessageKind::start_independent,
                        .run = id,
                        .to = next,
                        .content = Value::map({{"playbook", Value(callee.playbook)},
                                               {"version", callee.version ? Value(*callee.version) : Value()},
                                               {"input", std::move(*input)}})});
  end_done(id, output, {});
}

void Decider::begin_block(RunId id) {
  out_.emit(BlockOpened{.run = id, .scope = state_.last_scope.next(), .token = state_.last_token.next()});
}

void Decider::begin_terminate(RunId id) { terminate(id, *step_of(state_.runs.at(id).step).terminate); }

}  // namespace stepwell
