#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/kernel/playbook/end_of_run.h"
#include "stepwell/kernel/playbook/violation_text.h"

namespace stepwell {

namespace {

constexpr std::string_view kNoNext = "no_next";

}  // namespace

OrFailure<Value> items_of(const Value& collection, std::string_view what) {
  if (collection.depth() > limits::kDataDepth) return std::unexpected(too_deep(what, limits::kDataDepth));
  if (collection.is_list()) return collection;
  if (collection.is_map()) {
    std::vector<Value> items;
    for (const Member& member : collection.as_map()) {
      items.push_back(Value::map({{"key", member.name}, {"value", member.value}}));
    }
    return Value::list(std::move(items));
  }
  return std::unexpected(
      RunError{.error_class = ErrorClass::expression,
               .kind = "type",
               .message = fmt::format("{} must be a list or a map, not {}", what, kind_name(collection.kind()))});
}

OrFailure<void> plan_patch(const Value& patch, std::string_view what, Writes& writes) {
  if (!patch.is_map()) return {};
  for (const Member& member : patch.as_map()) {
    auto path = Path::parse(member.key());
    if (!path) {
      return std::unexpected(
          RunError{.error_class = ErrorClass::expression,
                   .kind = "value",
                   .message = fmt::format("{} cannot write to '{}': {}", what, member.key(), path.error().message)});
    }
    if (!path->empty() && (*path)[0] == Segment("_last_error")) {
      return std::unexpected(
          RunError{.error_class = ErrorClass::expression,
                   .kind = "value",
                   .message = fmt::format("{} cannot write to '_last_error': it is only read", what)});
    }
    writes.push_back({std::move(*path), member.value});
  }
  return {};
}

OrFailure<Value> write_all(const Value& root, const Writes& writes, std::string_view what) {
  Value whole;
  const Value* at = &root;
  for (const Write& write : writes) {
    auto written = set(*at, write.path, write.value);
    if (!written) {
      return std::unexpected(RunError{
          .error_class = ErrorClass::expression,
          .kind = "type",
          .message = fmt::format("{}.{} cannot be written: {}", what, write.path.str(), written.error().message)});
    }
    whole = std::move(*written);
    at = &whole;
  }
  if (at == &root) return root;
  return whole;
}

ScopeId Decider::iteration_around(ScopeId scope) const {
  while (scope && state_.scopes.at(scope).kind != ScopeKind::iteration) scope = state_.scopes.at(scope).parent;
  return scope;
}

// Members that are required may come later: that is asked at the end.
OrFailure<void> Decider::check_ctx(const Value& ctx) const {
  if (ctx.depth() > limits::kCtxDepth) return std::unexpected(too_deep("ctx", limits::kCtxDepth));
  if (!definition_.ctx_schema) return {};
  for (const Violation& violation : definition_.ctx_schema->validate(ctx)) {
    if (violation.rule == "required") continue;
    return std::unexpected(RunError{.error_class = ErrorClass::transport,
                                    .kind = "schema",
                                    .message = fmt::format("ctx{} {}", violation.instance, violation.message)});
  }
  return {};
}

RunError Decider::named(RunError error, const Run& run) const {
  if (!error.run.empty()) return error;
  error.step = step_of(run.step).name;
  error.run = run_name(definition_, run);
  error.attempt = run.attempt;
  return error;
}

OrFailure<void> Decider::plan_done(const Run& run, const EncodedValue& output, const Patches& patches, EndOfRun& end) {
  const Step& step = step_of(run.step);
  const Token& token = state_.tokens.at(run.token);
  if (!patches.ctx.is_null()) {
    if (auto planned = plan_patch(patches.ctx, "set_ctx", end.ctx.writes); !planned) return planned;
  }
  if (!patches.iter.is_null()) {
    if (auto planned = plan_patch(patches.iter, "set_iter", end.iter); !planned) return planned;
  }
  Scene scene = scene_of(token);
  scene.run = &run;
  scene.vars = &patches.vars;
  const EndedRun ended = ended_run(run, output);
  scene.ended = &ended;
  if (!token.is_body) {
    for (const Assignment& assignment : step.set) {
      auto value = render(scene, assignment.value, ambient_);
      if (!value) return std::unexpected(std::move(value.error()->error));
      switch (assignment.root) {
        case AssignedRoot::ctx: end.ctx.writes.push_back({assignment.path, std::move(*value)}); break;
        case AssignedRoot::iter: end.iter.push_back({assignment.path, std::move(*value)}); break;
        case AssignedRoot::reference: end.reference = std::move(*value); break;
      }
    }
  }
  if (!end.ctx.writes.empty()) {
    const bool at_root = state_.scopes.at(run.scope).home == kRootScope;
    auto seen = at_root ? OrFailure<Value>() : visible_ctx(state_, run.scope);
    if (!seen) return std::unexpected(std::move(seen.error()));
    auto written = write_all(at_root ? state_.ctx : *seen, end.ctx.writes, "ctx");
    if (!written) return std::unexpected(std::move(written.error()));
    if (auto fits = check_ctx(*written); !fits) return fits;
    end.ctx_after = std::move(*written);
    scene.ctx = &end.ctx_after;
  }
  Value iter;
  if (!end.iter.empty()) {
    auto written = write_all(Value::map({}), end.iter, "iter");
    if (!written) return std::unexpected(std::move(written.error()));
    if (written->depth() > limits::kCtxDepth) return std::unexpected(too_deep("iter", limits::kCtxDepth));
    iter = std::move(*written);
    scene.iter = &iter;
  }
  if (token.is_body) return {};
  if (auto planned = plan_route(scene, step, kDone, end.route); !planned) return planned;
  if (end.route.taken.empty() && !step.arcs.empty() && definition_.policy.no_next_is_error) {
    return std::unexpected(
        RunError{.error_class = ErrorClass::transport,
                 .kind = std::string(kNoNext),
                 .message = fmt::format("step '{}' is done and none of its arcs matches", step.name)});
  }
  return {};
}

// What the output of a run is checked against: of a loop, that of each iteration.
OrFailure<void> Decider::check_output(const Run& run, const EncodedValue& output) const {
  const Step& step = step_of(run.step);
  if (output.depth() > limits::kCtxDepth) return std::unexpected(too_deep("the output", limits::kCtxDepth));
  if (!step.output || (step.loop && !state_.tokens.at(run.token).is_body)) return {};
  const Value value = output.decode();
  if (step.output->accepts(value)) return {};
  return std::unexpected(
      RunError{.error_class = ErrorClass::transport,
               .kind = "schema",
               .message = fmt::format("the output does not fit its schema: {}", violation_text(*step.output, value))});
}

// Domain events go out with the end of the run that emitted them.
void Decider::send_events(RunId run, const Value& events) {
  if (!events.is_list()) return;
  for (const Value& event : events.as_list()) {
    out_.emit(
        MessageSent{.message = state_.last_message.next(), .kind = MessageKind::emit, .run = run, .content = event});
  }
}

void Decider::end_done(RunId id, EncodedValue output, const Patches& patches) {
  const Run& run = state_.runs.at(id);
  // A wrong output is a failed attempt, so it may be tried again.
  if (auto fits = check_output(run, output); !fits) {
    if (!schedule_retry(run, *fits.error())) end_failed(id, std::move(*fits.error()));
    return;
  }
  EndOfRun end;
  if (auto planned = plan_done(run, output, patches, end); !planned) {
    const bool waits = await_blobs(id, {.output = output, .patches = patches});
    if (!waits) end_failed(id, std::move(*planned.error()));
    return;
  }
  const StepIndex step = run.step;
  const ScopeId scope = run.scope;
  const bool is_body = state_.tokens.at(run.token).is_body;
  send_events(id, patches.emitted);
  out_.emit(StepDone{.run = id, .output = std::move(output)});
  if (!end.ctx.writes.empty()) {
    end.ctx.scope = scope;
    if (state_.scopes.at(scope).home == kRootScope) {
      out_.emit(std::move(end.ctx), std::move(end.ctx_after));
    } else {
      out_.emit(std::move(end.ctx));
    }
  }
  if (!end.iter.empty()) {
    if (const ScopeId iteration = iteration_around(scope)) {
      out_.emit(IterSet{.scope = iteration, .writes = std::move(end.iter)});
    }
  }
  if (end.reference) out_.emit(ReferenceSet{std::move(*end.reference)});
  if (is_body) return touch(scope);
  take_route(step, scope, end.route);
}

void Decider::end_failed(RunId id, RunError error) {
  const Run& run = state_.runs.at(id);
  error = named(std::move(error), run);
  const Step& step = step_of(run.step);
  const ScopeId scope = run.scope;
  const StepIndex index = run.step;
  const Token& token = state_.tokens.at(run.token);
  const bool is_body = token.is_body;
  // That none of its arcs matches is nothing its arcs could handle.
  if (!is_body && !step.arcs.empty() && error.kind != kNoNext) {
    const EncodedValue none;
    const EndedRun ended = ended_run(run, none, &error);
    Scene scene = scene_of(token);
    scene.run = &run;
    scene.ended = &ended;
    Route route;
    if (auto planned = plan_route(scene, step, failed_outcome(error), route); !planned) {
      if (await_blobs(id, {.error = error})) return;
      error = named(std::move(*planned.error()).caused_by(error), run);
    } else if (!route.taken.empty()) {
      out_.emit(StepFailed{.run = id, .error = std::move(error), .handled = true});
      return take_route(index, scope, route);
    }
  }
  if (would_suspend(run, error)) {
    out_.emit(StepParked{.run = id, .error = error});
    out_.emit(WorkflowSuspended{fmt::format("{} failed: {}", error.run, error.message)});
    return;
  }
  out_.emit(StepFailed{.run = id, .error = error, .handled = false});
  raised_.emplace(scope, std::move(error));
}

}  // namespace stepwell
