// What comes from outside, and how everything stands afterwards.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/expr/operators.h"
#include "stepwell/value/merge.h"

#include "interpreter.h"
#include "plain.h"

namespace stepwell::reference {

std::vector<std::string> Interpreter::answer() {
  drive();
  return std::exchange(world_.lines, {});
}

Run* Interpreter::find(const std::string& wanted) {
  for (auto& [id, run] : world_.runs) {
    if (name(run) == wanted) return &run;
  }
  return nullptr;
}

Run* Interpreter::find_open(const std::string& wanted, int attempt, Work work) {
  Run* run = find(wanted);
  return run != nullptr && run->attempt == attempt && run->work == work ? run : nullptr;
}

std::vector<std::string> Interpreter::start(Instant now, const Value& workload) {
  now_ = now;
  started_at_ = now;
  world_.workload = deep_merge(definition_.workload.is_map() ? definition_.workload : Value::map({}), workload);
  world_.last_scope = kRoot;
  world_.scopes[kRoot] = {.id = kRoot};
  if (definition_.policy.timeout) world_.deadline = checked_add(now, *definition_.policy.timeout);
  if (definition_.reference) world_.reference = render(*definition_.reference, kRoot, {}).value_or(Value());
  new_token(definition_.policy.entry_step, kRoot, {});
  return answer();
}

std::vector<std::string> Interpreter::report(Instant now, const std::string& name, int attempt, const Report& report) {
  now_ = now;
  Run* run = find_open(name, attempt, Work::attempt);
  if (run == nullptr) return refused("stale");
  run->deadline.reset();
  if (report.error) {
    attempt_failed(run->id, *report.error);
  } else {
    done(run->id, report.output);
  }
  return answer();
}

std::vector<std::string> Interpreter::patch(Instant now, const Value& patch) {
  now_ = now;
  if (world_.ended) return refused("ended");
  world_.ctx = merge_patch(world_.ctx, patch);
  changed();
  return answer();
}

std::vector<std::string> Interpreter::cancel(Instant now) {
  now_ = now;
  if (world_.ended) return refused("ended");
  end("cancelled", std::nullopt, {});
  return answer();
}

std::vector<std::string> Interpreter::suspend(Instant now) {
  now_ = now;
  if (world_.ended) return refused("ended");
  if (world_.suspended) return refused("not_allowed");
  world_.suspended = true;
  return answer();
}

std::vector<std::string> Interpreter::unsuspend(Instant now) {
  now_ = now;
  if (world_.ended) return refused("ended");
  if (!world_.suspended) return refused("not_allowed");
  world_.suspended = false;
  return answer();
}

void Interpreter::go_on_after_last_parked() {
  const bool parked =
      std::ranges::any_of(world_.runs, [](const auto& each) { return each.second.work == Work::parked; });
  if (!parked) world_.suspended = false;
}

// A fresh run by the same token.
std::vector<std::string> Interpreter::retry(Instant now, const std::string& name) {
  now_ = now;
  if (world_.ended) return refused("ended");
  const Run* run = find(name);
  if (run == nullptr) return refused("not_found");
  if (run->work != Work::parked || run->failed_join) return refused("not_allowed");
  Token& token = world_.tokens.at(run->token);
  token.life = Life::fresh;
  world_.runs.erase(run->id);
  go_on_after_last_parked();
  return answer();
}

std::vector<std::string> Interpreter::skip(Instant now, const std::string& name, const Value& output) {
  now_ = now;
  if (world_.ended) return refused("ended");
  Run* run = find(name);
  if (run == nullptr) return refused("not_found");
  if (run->work != Work::parked) return refused("not_allowed");
  const Step& step = step_of(run->step);
  if (step.output && !step.output->accepts(output)) return refused("invalid");
  done(run->id, output);
  go_on_after_last_parked();
  return answer();
}

// A new wait takes the oldest buffered signal that it matches.
void Interpreter::await_signal(Run& run) {
  const Wait& wait = *step_of(run.step).wait;
  for (std::size_t i = 0; i < world_.signals.size(); ++i) {
    const BufferedSignal signal = world_.signals[i];
    if (signal.name != wait.signal || !matches(run, signal)) continue;
    world_.signals.erase(world_.signals.begin() + static_cast<std::ptrdiff_t>(i));
    return done(run.id, signal.payload);
  }
  run.work = Work::signal;
}

// An error in `match` counts as no match: a signal is foreign input.
bool Interpreter::matches(const Run& run, const BufferedSignal& signal) const {
  const Wait& wait = *step_of(run.step).wait;
  if (!wait.match) return true;
  const Token& token = world_.tokens.at(run.token);
  Extras extras = extras_of(token);
  extras.names[NameKind::signal] = Value::map({{"id", Value(signal.id)},
                                               {"name", Value(signal.name)},
                                               {"payload", signal.payload},
                                               {"at", Value(signal.at.str())}});
  const auto answer = evaluate(*wait.match, token.scope, extras);
  return answer && truthy(*answer);
}

// Offered to open waits in token order, else buffered.
std::vector<std::string> Interpreter::signal(Instant now, const std::string& id, const std::string& name,
                                             const Value& payload) {
  now_ = now;
  if (world_.accepted.contains(id)) return refused("repeated");
  if (world_.ended) return refused("stale");
  const bool known =
      std::ranges::any_of(definition_.steps, [&](const Step& step) { return step.wait && step.wait->signal == name; });
  if (!known) return refused("not_found");
  world_.accepted.insert(id);
  const BufferedSignal signal{.id = id, .name = name, .payload = payload, .at = now};
  const Run* taker = nullptr;
  for (const auto& [run_id, run] : world_.runs) {
    if (run.work != Work::signal || step_of(run.step).wait->signal != name || !matches(run, signal)) continue;
    if (taker == nullptr || run.token < taker->token) taker = &run;
  }
  if (taker == nullptr) {
    world_.signals.push_back(signal);
  } else {
    done(taker->id, payload);
  }
  return answer();
}

std::vector<std::string> Interpreter::complete(Instant now, const std::string& name, int attempt,
                                               const Value& answered) {
  now_ = now;
  const Run* run = find_open(name, attempt, Work::task);
  if (run == nullptr) return refused("stale");
  done(run->id,
       Value::map(
           {{"answer", answered}, {"option", Value()}, {"completed_by", "ann"}, {"completed_at", Value(now.str())}}));
  return answer();
}

std::vector<std::string> Interpreter::child(Instant now, const std::string& name, int attempt, const Value& output,
                                            const Value& child) {
  now_ = now;
  Run* run = find_open(name, attempt, Work::call);
  if (run == nullptr) return refused("stale");
  const Callee& callee = *step_of(run->step).callee;
  const std::string status(child.find("status")->as_text());
  const bool terminated = !child.find("terminated_by")->is_null();
  run->child = child;
  run->deadline.reset();
  const bool fails =
      status == "refused" || (terminated ? callee.fail_on_terminate : status != "completed" && !callee.catch_failure);
  if (fails) {
    attempt_failed(run->id,
                   {.error_class = "transport", .kind = status == "refused" ? "child_refused" : "child_failed"});
  } else {
    done(run->id, output);
  }
  return answer();
}

// The instant of the next thing that time alone will do.
std::optional<Instant> Interpreter::next_timer() const {
  std::optional<Instant> next = world_.ended ? std::nullopt : world_.deadline;
  auto consider = [&](const std::optional<Instant>& at) {
    if (at && (!next || *at < *next)) next = at;
  };
  for (const auto& [id, run] : world_.runs) {
    consider(run.deadline);
    if (run.work != Work::backoff || !world_.suspended) consider(run.at);
  }
  for (const auto& [id, fan_out] : world_.fan_outs) {
    if (fan_out.open) consider(fan_out.deadline);
  }
  return next;
}

// All that is due happens, the earliest first; at one instant the execution's own comes first, then runs by number.
std::vector<std::string> Interpreter::wake(Instant now) {
  now_ = now;
  if (world_.ended) return refused("stale");
  for (auto next = next_timer(); next && *next <= now; next = next_timer()) {
    time_is_up(*next);
    drive();
  }
  return answer();
}

void Interpreter::time_is_up(Instant at) {
  if (world_.deadline == at) {
    world_.deadline.reset();
    return end_directly({.error_class = "timeout", .kind = "execution"});
  }
  for (auto& [id, run] : world_.runs) {
    if (run.at == at && run.work == Work::timer) {
      return done(id, Value::map({{"waited", Value(step_of(run.step).wait->duration->str())}}));
    }
    if (run.at == at && run.work == Work::backoff && !world_.suspended) {
      ++run.attempt;
      return attempt(run);
    }
    if (run.deadline == at) return timed_out(run);
  }
  for (auto& [id, fan_out] : world_.fan_outs) {
    if (!fan_out.open || fan_out.deadline != at) continue;
    if (step_of(*step_of(fan_out.step).joined_by).join->proceed_on_timeout) return fire_join(id);
    fail_join(id, {.error_class = "timeout", .kind = "join"}, false);
    return;
  }
}

void Interpreter::timed_out(Run& run) {
  const Step& step = step_of(run.step);
  run.deadline.reset();
  if (run.work == Work::block) {
    const auto inside =
        std::ranges::find_if(world_.scopes, [&](const auto& each) { return each.second.run == run.id; });
    cancel_in(inside->first);
    close(inside->first);
    return fail(run.id, {.error_class = "timeout", .kind = "block"});
  }
  if (run.work == Work::task || run.work == Work::signal) {
    const bool go_on = run.work == Work::task ? step.human->go_on_after_timeout : step.wait->go_on_after_timeout;
    if (go_on) return done(run.id, {});
    return fail(run.id, {.error_class = "timeout", .kind = run.work == Work::task ? "task" : "signal"});
  }
  const bool child = run.work == Work::call;
  attempt_failed(run.id, {.error_class = "timeout", .kind = child ? "child" : "attempt", .retryable = !child});
}

std::string Interpreter::name(const Run& run) const {
  return fmt::format("{}#{}", step_of(run.step).name, run.ordinal);
}

std::string Interpreter::time(Instant at) const { return "+" + (at - started_at_).str(); }

std::string Interpreter::path(int scope) const {
  if (scope == kRoot) return "";
  const Scope& own = world_.scopes.at(scope);
  const std::string outer = path(own.parent);
  if (own.kind == ScopeKind::block) return outer + "/block";
  return fmt::format("{}/{}[{}]", outer, step_of(world_.fan_outs.at(own.fan_out).step).name, own.index);
}

std::vector<std::string> Interpreter::standing() const {
  std::vector<std::string> lines;
  if (world_.ended) return {"ctx " + plain(world_.ctx)};
  for (const auto& [id, run] : world_.runs) {
    std::string text = fmt::format("{} @{} ", name(run), path(world_.tokens.at(run.token).scope));
    switch (run.work) {
      case Work::none: text += "?"; break;
      case Work::attempt: text += fmt::format("attempt {} {}", run.attempt, plain(run.inputs)); break;
      case Work::backoff: text += "backoff " + time(*run.at); break;
      case Work::timer: text += "timer " + time(*run.at); break;
      case Work::signal: text += "signal"; break;
      case Work::task: text += fmt::format("task {} {}", plain(run.title), plain(run.payload)); break;
      case Work::call: text += fmt::format("call {}", run.attempt); break;
      case Work::loop: text += "loop"; break;
      case Work::block: text += "block"; break;
      case Work::parked: text += "parked " + run.error.text(); break;
    }
    if (run.deadline) text += " until " + time(*run.deadline);
    lines.push_back(text);
  }
  for (const auto& [id, token] : world_.tokens) {
    const std::string place = fmt::format("{} @{}", step_of(token.step).name, path(token.scope));
    if (token.life == Life::gated) lines.push_back("gated " + place);
    if (token.life == Life::fresh) lines.push_back("held " + place);
  }
  for (const auto& [id, fan_out] : world_.fan_outs) {
    if (!fan_out.open || fan_out.run != 0) continue;
    lines.push_back(fmt::format("fan {} @{} {} of {}{}", step_of(fan_out.step).name, path(fan_out.scope),
                                fan_out.branches.size(), fan_out.total(),
                                fan_out.deadline ? " until " + time(*fan_out.deadline) : ""));
  }
  for (const BufferedSignal& signal : world_.signals) lines.push_back("signal " + signal.name + plain(signal.payload));
  std::ranges::sort(lines);
  if (world_.suspended) lines.push_back("suspended");
  lines.push_back("ctx " + plain(world_.ctx));
  lines.push_back("reference " + plain(world_.reference));
  return lines;
}

}  // namespace stepwell::reference
