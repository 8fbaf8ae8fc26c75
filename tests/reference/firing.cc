// Tokens: the lowest is looked at, held, parked or run, until everything rests.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/operators.h"
#include "stepwell/value/json_write.h"

#include "interpreter.h"

namespace stepwell::reference {

void Interpreter::drive() {
  for (;;) {
    complete_if_quiescent();
    if (world_.ended) return;
    if (Token* token = next_token()) {
      fire(*token);
    } else if (world_.suspended || (!open_branch() && !stall())) {
      return;
    }
  }
}

// The lowest token that is to be looked at. Suspended, only those that come to a join are: that starts no run.
Token* Interpreter::next_token() {
  for (auto& [id, token] : world_.tokens) {
    const bool due = token.life == Life::fresh || (token.life == Life::gated && token.ask_again);
    if (!due) continue;
    if (!world_.suspended || at_join(token) == AtJoin::parks) return &token;
  }
  return nullptr;
}

// A token parks if its innermost joined fan-out is an instance of `from`; one further out would overlap.
Interpreter::AtJoin Interpreter::at_join(const Token& token) const {
  const Step& step = step_of(token.step);
  if (!step.join || token.past_join || token.body) return AtJoin::ordinary;
  bool innermost = true;
  for (int at = token.scope; at != 0; at = world_.scopes.at(at).parent) {
    const Scope& scope = world_.scopes.at(at);
    if (scope.kind != ScopeKind::branch) continue;
    const FanOut& fan_out = world_.fan_outs.at(scope.fan_out);
    if (!fan_out.joined) continue;
    const bool from = fan_out.step == step.join->from;
    if (scope.detached) return from && innermost ? AtJoin::too_late : AtJoin::ordinary;
    if (from) return innermost ? AtJoin::parks : AtJoin::overlaps;
    innermost = false;
  }
  return AtJoin::ordinary;
}

void Interpreter::fire(Token& token) {
  token.ask_again = false;
  switch (at_join(token)) {
    case AtJoin::parks:
      token.life = Life::at_join;
      line(fmt::format("at join {} @{}", step_of(token.step).name, path(token.scope)));
      return settle_up(token.scope);
    case AtJoin::too_late: {
      token.life = Life::over;
      line(fmt::format("discarded {} @{}", step_of(token.step).name, path(token.scope)));
      return settle_up(token.scope);
    }
    case AtJoin::overlaps:
      if (Run* run = start_run(token)) fail(run->id, {.error_class = "transport", .kind = "join_overlap"});
      return;
    case AtJoin::ordinary: break;
  }
  if (!ask_guard(token)) return;
  Run* run = start_run(token);
  if (run == nullptr) return;
  if (step_of(token.step).loop && !token.body) return open_loop(*run);
  perform(*run);
}

// Completes the token's args and asks its guard. False: the token is held, has ended or has failed.
bool Interpreter::ask_guard(Token& token) {
  const Step& step = step_of(token.step);
  if (token.body) return true;
  if (!token.has_args && step.args) {
    const auto defaults = render(*step.args, token.scope, extras_of(token));
    if (!defaults) {
      if (const Run* run = start_run(token)) fail(run->id, defaults.error());
      return false;
    }
    std::vector<Member> members(defaults->as_map().begin(), defaults->as_map().end());
    if (token.args.is_map()) members.insert(members.end(), token.args.as_map().begin(), token.args.as_map().end());
    token.args = Value::map(std::move(members));
  }
  token.has_args = true;
  if (!step.when) return true;
  std::string missing;
  const auto answer = evaluate(*step.when, token.scope, extras_of(token), &missing);
  const bool hold = definition_.policy.when_false == WhenFalse::hold;
  if (!answer && (!hold || missing.empty())) {
    if (const Run* run = start_run(token)) fail(run->id, answer.error());
    return false;
  }
  if (answer && truthy(*answer)) return true;
  if (hold) {
    if (token.life != Life::gated) line(fmt::format("gated {} @{} {}", step.name, path(token.scope), missing));
    token.life = Life::gated;
    return false;
  }
  token.life = Life::over;
  line(fmt::format("discarded {} @{}", step.name, path(token.scope)));
  settle_up(token.scope);
  return false;
}

Token& Interpreter::new_token(StepIndex step, int scope, Value args) {
  const int id = ++world_.last_token;
  return world_.tokens[id] = {.id = id, .step = step, .scope = scope, .args = std::move(args)};
}

// None if the execution has had all the runs that it may have: then it is over.
Run* Interpreter::start_run(Token& token) {
  int all = 0;
  for (const auto& [step, count] : world_.counts) all += count;
  if (!world_.finishing && all >= definition_.policy.max_step_runs) {
    end_directly({.error_class = "engine", .kind = "max_step_runs"});
    return nullptr;
  }
  const int id = ++world_.last_run;
  Run& run =
      world_.runs[id] = {.id = id, .step = token.step, .ordinal = ++world_.counts[token.step], .token = token.id};
  token.life = Life::running;
  line(fmt::format("start {} @{}", name(run), path(token.scope)));
  return &run;
}

void Interpreter::perform(Run& run) {
  const Step& step = step_of(run.step);
  const Token& token = world_.tokens.at(run.token);
  const Extras extras = extras_of(token);
  if (step.timeout) run.deadline = checked_add(now_, *step.timeout);
  switch (step.type) {
    case StepType::task: return step.pure ? done(run.id, {}) : attempt(run);
    case StepType::human: {
      auto optional = [&](const std::optional<Mapping>& mapping) {
        return mapping ? render(*mapping, token.scope, extras) : Result(Value());
      };
      const auto title = optional(step.human->title);
      if (!title) return fail(run.id, title.error());
      const auto payload = optional(step.human->payload);
      if (!payload) return fail(run.id, payload.error());
      run.work = Work::task;
      run.title = *title;
      run.payload = *payload;
      return;
    }
    case StepType::wait: {
      if (!step.wait->signal.empty()) return await_signal(run);
      CHECK(step.wait->duration);
      run.work = Work::timer;
      run.at = checked_add(now_, *step.wait->duration);
      return;
    }
    case StepType::call: return attempt(run);
    case StepType::continue_with: return done(run.id, {});
    case StepType::block: {
      run.work = Work::block;
      const int id = ++world_.last_scope;
      world_.scopes[id] = {.id = id, .kind = ScopeKind::block, .parent = token.scope, .run = run.id};
      new_token(definition_.lists[*step.block].steps.front(), id, {});
      return;
    }
    case StepType::terminate: return terminate(run);
  }
}

// Opens an attempt, of a pipeline or a call, with everything it reads as it is now.
void Interpreter::attempt(Run& run) {
  const Step& step = step_of(run.step);
  const Token& token = world_.tokens.at(run.token);
  const Extras extras = extras_of(token);
  run.at.reset();
  if (step.timeout) run.deadline = checked_add(now_, *step.timeout);
  if (step.type == StepType::call) {
    const auto input = step.callee->input ? render(*step.callee->input, token.scope, extras) : Value::map({});
    if (!input) return fail(run.id, input.error());
    run.work = Work::call;
    line(fmt::format("call {} {}", name(run), to_json(*input)));
    return;
  }
  std::vector<Member> inputs;
  for (const AttemptRead& read : step.attempt_reads) {
    const auto value = name_in(token.scope, read.name, read.text, read.last_error, extras);
    // One that ran in several branches is an error where it is read, which is not here.
    if (value && *value) inputs.push_back({Value(read.text), **value});
  }
  run.work = Work::attempt;
  run.inputs = Value::map(std::move(inputs));
}

// The next branch or iteration: of the lowest fan-out that may open one, the lowest.
bool Interpreter::open_branch() {
  for (auto& [id, fan_out] : world_.fan_outs) {
    if (!fan_out.open) continue;
    std::map<const Leg*, std::int64_t> in_flight;
    for (const auto& [index, scope] : fan_out.branches) {
      if (!world_.scopes.at(scope).settled) ++in_flight[fan_out.place(index).first];
    }
    for (int index = 0; index < fan_out.total(); ++index) {
      if (fan_out.branches.contains(index)) continue;
      const auto [leg, at] = fan_out.place(index);
      if (leg->max_in_flight && in_flight[leg] >= *leg->max_in_flight) continue;
      const int scope = ++world_.last_scope;
      world_.scopes[scope] = {.id = scope,
                              .kind = fan_out.run == 0 ? ScopeKind::branch : ScopeKind::iteration,
                              .parent = fan_out.scope,
                              .fan_out = id,
                              .index = index,
                              .item = leg->items[static_cast<std::size_t>(at)],
                              .item_name = leg->item_name,
                              .isolated = fan_out.joined};
      fan_out.branches[index] = scope;
      Token& token = new_token(leg->target, scope, leg->args[static_cast<std::size_t>(at)]);
      token.body = fan_out.run != 0;
      token.has_args = token.body;
      return true;
    }
  }
  return false;
}

// Only gated tokens are left and nothing that could lead on. True if that was decided upon.
bool Interpreter::stall() {
  const bool gated =
      std::ranges::any_of(world_.tokens, [](const auto& each) { return each.second.life == Life::gated; });
  const bool work = std::ranges::any_of(
      world_.runs, [](const auto& each) { return each.second.work != Work::loop && each.second.work != Work::block; });
  // A block or join whose time will be up leads on, unless the execution's is up before.
  const auto timer = next_timer();
  if (!gated || work || (timer && timer != world_.deadline)) return false;
  if (world_.failure) {
    world_.directly = true;
    cancel_in(kRoot);
    finish();
    return true;
  }
  switch (definition_.policy.on_stall) {
    case OnStall::wait: return false;
    case OnStall::fail: end_directly({.error_class = "engine", .kind = "stalled"}); return true;
    case OnStall::complete: break;
  }
  std::vector<int> scopes;
  for (auto& [id, token] : world_.tokens) {
    if (token.life != Life::gated) continue;
    token.life = Life::over;
    scopes.push_back(token.scope);
    line(fmt::format("discarded {} @{}", step_of(token.step).name, path(token.scope)));
  }
  for (const int scope : scopes) settle_up(scope);
  return true;
}

}  // namespace stepwell::reference
