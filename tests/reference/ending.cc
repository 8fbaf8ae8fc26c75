// The one end-of-run routine: write, ask the arcs, make tokens; or fail, and move outward until something handles it.
#include <algorithm>

#include <fmt/format.h>

#include "stepwell/expr/operators.h"
#include "stepwell/value/json_write.h"

#include "interpreter.h"
#include "plain.h"

namespace stepwell::reference {

void Interpreter::record(const Run& run, const Value& output, const std::optional<Error>& error) {
  Scope& scope = world_.scopes.at(world_.tokens.at(run.token).scope);
  scope.ended.push_back({.order = ++world_.order,
                         .step = run.step,
                         .output = output,
                         .error = error,
                         .attempts = run.attempt,
                         .child = run.child});
  if (error) scope.last_error = {world_.order, *error};
  changed();
}

// A run is done with this output, unless that does not fit.
void Interpreter::done(int id, const Value& output) {
  const Run run = world_.runs.at(id);
  const Token token = world_.tokens.at(run.token);
  const Step& step = step_of(run.step);
  const bool whole_loop = step.loop && !token.body;
  if (step.output && !whole_loop && !step.output->accepts(output)) {
    return attempt_failed(id, {.error_class = "transport", .kind = "schema"});
  }
  const World before = world_;
  record(run, output, std::nullopt);
  line(fmt::format("done {} {}", name(run), plain(output)));
  world_.runs.erase(id);
  world_.tokens.at(token.id).life = Life::over;
  if (token.body) return settle_up(token.scope);
  const auto error = route(run, token, output, std::nullopt);
  if (!error) return;
  world_ = before;
  fail(id, *error);
}

// Writes what `set` says and goes on along the arcs. An error undoes nothing: that is for who asked.
std::optional<Error> Interpreter::route(const Run& run, const Token& token, const Value& output,
                                        const std::optional<Error>& failure) {
  const Step& step = step_of(run.step);
  Extras extras = extras_of(token);
  const Value error = failure ? failure->to_value() : Value();
  extras.names[NameKind::output] = output;
  extras.names[NameKind::error] = error;
  extras.names[NameKind::vars] = Value::map({});
  extras.names[NameKind::outcome] =
      Value::map({{"status", failure ? "error" : "ok"}, {"result", output}, {"error", error}});
  extras.names[NameKind::event] = Value::map(
      {{"name", failure ? "step.failed" : "step.done"}, {"step", Value(step.name)}, {"run", Value(name(run))}});
  if (!failure) {
    if (auto wrong = write(step, token.scope, extras)) return wrong;
  }
  auto legs = taken_legs(step, token.scope, extras, failure);
  if (!legs) return legs.error();
  if (legs->empty() && failure) return failure;
  if (legs->empty() && !step.arcs.empty() && definition_.policy.no_next_is_error) {
    return Error{.error_class = "transport", .kind = "no_next"};
  }
  emit(run.step, token.scope, std::move(*legs), !failure);
  settle_up(token.scope);
  return std::nullopt;
}

// Renders all of `set` against the state before, then applies it together.
std::optional<Error> Interpreter::write(const Step& step, int scope, const Extras& extras) {
  std::vector<Value> values;
  for (const Assignment& assignment : step.set) {
    auto value = render(assignment.value, scope, extras);
    if (!value) return value.error();
    values.push_back(std::move(*value));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Assignment& assignment = step.set[i];
    if (assignment.root == AssignedRoot::reference) {
      if (!in_detached(scope)) world_.reference = values[i];
    } else if (assignment.root == AssignedRoot::iter) {
      Scope& iteration = world_.scopes.at(enclosing(scope, ScopeKind::iteration));
      iteration.iter = set(iteration.iter, assignment.path, values[i]).value();
    } else if (!write_ctx(scope, assignment.path, values[i])) {
      return expression_error("type");
    }
  }
  changed();
  return std::nullopt;
}

// Into the overlay of the isolated branch around, or else into ctx itself. False if the path does not fit.
bool Interpreter::write_ctx(int scope, const Path& path, const Value& value) {
  if (!set(ctx_in(scope), path, value)) return false;
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    Scope& own = world_.scopes.at(at);
    if (!own.isolated) continue;
    own.overlay.push_back({path, value});
    return true;
  }
  world_.ctx = set(world_.ctx, path, value).value();
  return true;
}

// The candidates for this outcome, asked in order; those that are taken, with their items and args rendered now.
std::expected<std::vector<Leg>, Error> Interpreter::taken_legs(const Step& step, int scope, const Extras& extras,
                                                               const std::optional<Error>& failure) const {
  std::vector<Leg> legs;
  for (const Arc& arc : step.arcs) {
    const bool timeout = failure && failure->error_class == "timeout";
    const bool candidate = definition_.policy.all_arcs_after_failure || arc.on == ArcOn::any ||
                           (arc.on == ArcOn::done && !failure) || (arc.on == ArcOn::failed && failure) ||
                           (arc.on == ArcOn::timeout && timeout);
    if (!candidate) continue;
    if (arc.when) {
      const auto answer = evaluate(*arc.when, scope, extras);
      if (!answer) return std::unexpected(answer.error());
      if (!truthy(*answer)) continue;
    }
    Leg leg{.target = arc.target, .arc = &arc, .each = arc.foreach.has_value()};
    if (arc.foreach) {
      leg.item_name = arc.foreach->as;
      leg.max_in_flight = arc.foreach->max_in_flight;
    }
    auto items = leg.each ? items_of(arc.foreach->in, scope, extras) : std::vector<Value>{Value()};
    if (!items) return std::unexpected(items.error());
    leg.items = std::move(*items);
    legs.push_back(std::move(leg));
    if (!step.inclusive) break;
  }
  int total = 0;
  for (const Leg& leg : legs) total += static_cast<int>(leg.items.size());
  int index = 0;
  for (Leg& leg : legs) {
    for (const Value& item : leg.items) {
      Extras seen = extras;
      if (!leg.item_name.empty()) seen.items[leg.item_name] = item;
      if (fans_out(step, legs)) seen.names[NameKind::branch] = opening_branch(step, scope, index++, total, item);
      auto args = leg.arc->args ? render(*leg.arc->args, scope, seen) : Value();
      if (!args) return std::unexpected(args.error());
      leg.args.push_back(std::move(*args));
    }
  }
  return legs;
}

// What the args of an arc see as the branch that they are for.
Value Interpreter::opening_branch(const Step& step, int scope, int index, int total, const Value& item) const {
  return Value::map({{"index", index},
                     {"total", total},
                     {"fan_out_step", Value(step.name)},
                     {"item", item},
                     {"output", Value()},
                     {"parent", branch_in(scope)}});
}

// A single arc without foreach opens a branch only for a join.
bool Interpreter::fans_out(const Step& step, const std::vector<Leg>& legs) const {
  return legs.size() > 1 || legs.front().each || step.joined_by;
}

// A token for each taken arc or item: on in the same scope, or each in a branch of its own.
void Interpreter::emit(StepIndex index, int scope, std::vector<Leg> legs, bool ended_done) {
  const Step& step = step_of(index);
  int branches = 0;
  std::string targets;
  for (const Leg& leg : legs) {
    branches += static_cast<int>(leg.items.size());
    targets += " " + step_of(leg.target).name;
  }
  const bool followed = branches > 0 || (!legs.empty() && step.joined_by);
  if (!followed && ended_done && counts_as_path(scope)) world_.some_path_done = true;
  if (legs.empty()) return;
  line(fmt::format("next {} @{} ->{}", step.name, path(scope), targets));
  if (!fans_out(step, legs)) {
    new_token(legs.front().target, scope, legs.front().args.front());
    return;
  }
  const bool joined = step.joined_by.has_value();
  const int id = ++world_.last_fan_out;
  FanOut& fan_out = world_.fan_outs[id] = {.id = id, .step = index, .scope = scope, .joined = joined};
  fan_out.legs = std::move(legs);
  line(fmt::format("fan {} @{} {}", step.name, path(scope), branches));
  if (joined) {
    if (const auto& timeout = step_of(*step.joined_by).join->timeout) fan_out.deadline = checked_add(now_, *timeout);
    examine_join(id, false);
  } else if (branches == 0) {
    fan_out.open = false;
  }
}

// An attempt failed: another one later if `retry` covers that, else the run has failed.
void Interpreter::attempt_failed(int id, Error error) {
  Run& run = world_.runs.at(id);
  const auto& retry = step_of(run.step).retry;
  const bool by_default = error.retryable || error.error_class == "timeout";
  const bool covered = retry && (retry->on.empty() ? by_default
                                                   : std::ranges::count(retry->on, error.error_class) > 0 ||
                                                         std::ranges::count(retry->on, error.kind) > 0);
  if (!covered || run.attempt >= retry->max_attempts) return fail(id, std::move(error));
  std::int64_t delay = retry->backoff == Backoff::none ? 0 : retry->delay.micros();
  if (retry->backoff == Backoff::linear) delay *= run.attempt;
  if (retry->backoff == Backoff::exponential) delay <<= run.attempt - 1;
  if (retry->max_delay) delay = std::min(delay, retry->max_delay->micros());
  run.work = Work::backoff;
  run.deadline.reset();
  run.at = checked_add(now_, Duration::micros(delay));
  line(fmt::format("retry {} at {} after {}", name(run), time(*run.at), error.text()));
}

// A run has failed for good. Under `suspend`, if nothing between it and the execution handles that, nothing of it has
// happened: the run is parked where it failed.
void Interpreter::fail(int id, Error error) {
  const World before = world_;
  if (!fail_moving(id, error)) return;
  if (definition_.policy.on_failure != OnFailure::suspend || world_.finishing) return;
  world_ = before;
  Run& run = world_.runs.at(id);
  run.work = Work::parked;
  run.deadline.reset();
  run.at.reset();
  run.error = error;
  line(fmt::format("parked {} {}", name(run), error.text()));
  world_.suspended = true;
}

void Interpreter::complete_error(Error& error, const Run& run) const {
  if (!error.step.empty()) return;
  error.step = step_of(run.step).name;
  error.run = name(run);
  error.attempt = run.attempt;
}

// True if the failure reached the execution. If an arc that might have handled it cannot be asked, that is the error.
bool Interpreter::fail_moving(int id, Error& error) {
  const Run run = world_.runs.at(id);
  const Token token = world_.tokens.at(run.token);
  complete_error(error, run);
  world_.runs.erase(id);
  world_.tokens.at(token.id).life = Life::over;
  if (!token.body && error.kind != "no_next") {
    const World before = world_;
    record(run, {}, error);
    line(fmt::format("failed {} {} handled", name(run), error.text()));
    const auto unhandled = route(run, token, {}, error);
    if (!unhandled) return false;
    world_ = before;
    error = *unhandled;
    complete_error(error, run);
  }
  record(run, {}, error);
  line(fmt::format("failed {} {}", name(run), error.text()));
  const bool reached = move_outward(token.scope, error);
  if (!world_.ended) settle_up(token.scope);
  return reached;
}

bool Interpreter::move_outward(int from, Error error) {
  for (int at = from;; at = world_.scopes.at(at).parent) {
    const Scope scope = world_.scopes.at(at);
    switch (scope.kind) {
      case ScopeKind::root: return reach_execution(error);
      case ScopeKind::block:
        cancel_in(at);
        close(at);
        return fail_moving(scope.run, error);
      case ScopeKind::iteration: return iteration_failed(scope, error);
      case ScopeKind::branch: {
        FanOut& fan_out = world_.fan_outs.at(scope.fan_out);
        if (!scope.detached && !fan_out.joined) continue;
        cancel_in(at);
        close(at);
        line(fmt::format("branch @{} failed", path(at)));
        if (scope.detached) return false;
        fan_out.failed.push_back(scope.index);
        return examine_join(scope.fan_out, true);
      }
    }
  }
}

bool Interpreter::iteration_failed(const Scope& scope, Error error) {
  FanOut& loop = world_.fan_outs.at(scope.fan_out);
  cancel_in(scope.id);
  close(scope.id);
  line(fmt::format("branch @{} failed", path(scope.id)));
  loop.failed.push_back(scope.index);
  loop.errors[scope.index] = error;
  if (step_of(loop.step).loop->go_on_after_failure) {
    loop_goes_on(scope.fan_out);
    return false;
  }
  close_fan_out(scope.fan_out, false);
  return fail_moving(loop.run, error);
}

bool Interpreter::reach_execution(const Error& error) {
  if (world_.finishing) {
    world_.final_failure = error;
    return true;
  }
  world_.failures.push_back(error);
  if (!world_.failure) world_.failure = error;
  if (definition_.policy.on_failure == OnFailure::fail_fast) cancel_in(kRoot);
  return true;
}

}  // namespace stepwell::reference
