// Scopes: when one is quiescent, what its end means to the join, loop or block around it, and how they close.
#include <algorithm>

#include <fmt/format.h>

#include "stepwell/value/path.h"

#include "interpreter.h"
#include "plain.h"

namespace stepwell::reference {

// Whether `scope` is `around` or lies in it. A detached branch lies in nothing but itself.
bool Interpreter::is_in(int scope, int around) const {
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    if (at == around) return true;
    if (world_.scopes.at(at).detached) return false;
  }
  return false;
}

bool Interpreter::in_detached(int scope) const { return !is_in(scope, kRoot); }

int Interpreter::enclosing(int scope, ScopeKind kind) const {
  int at = scope;
  while (at != 0 && world_.scopes.at(at).kind != kind) at = world_.scopes.at(at).parent;
  return at;
}

// Whether a token that ends here is the end of a path: not inside a joined fan-out, or a loop, which is one.
bool Interpreter::counts_as_path(int scope) const {
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    const Scope& own = world_.scopes.at(at);
    if (own.isolated || own.kind == ScopeKind::iteration) return false;
  }
  return true;
}

// No live token in it or below, and nothing that will make one: a fan-out that is open has branches or a join to come.
bool Interpreter::is_quiescent(int scope) const {
  for (const auto& [id, token] : world_.tokens) {
    if (token.is_live() && is_in(token.scope, scope)) return false;
  }
  return std::ranges::none_of(world_.fan_outs,
                              [&](const auto& each) { return each.second.open && is_in(each.second.scope, scope); });
}

bool Interpreter::holds_parked(int scope) const {
  return std::ranges::any_of(world_.tokens, [&](const auto& each) {
    return each.second.life == Life::at_join && is_in(each.second.scope, scope);
  });
}

void Interpreter::changed() {
  for (auto& [id, token] : world_.tokens) token.ask_again = token.life == Life::gated;
}

// What ran in it is seen in its parent from now on.
void Interpreter::close(int scope) {
  world_.scopes.at(scope).settled = true;
  world_.scopes.at(scope).closed = true;
  changed();
}

void Interpreter::settle_up(int from) {
  for (int at = from; at != kRoot && at != 0; at = world_.scopes.at(at).parent) {
    const Scope scope = world_.scopes.at(at);
    if (scope.settled || !is_quiescent(at)) return;
    if (scope.kind == ScopeKind::block) {
      close(at);
      return done(scope.run, last_output(at).value_or(Value()));
    }
    FanOut& fan_out = world_.fan_outs.at(scope.fan_out);
    const bool arrived = holds_parked(at) && !scope.detached && fan_out.joined;
    line(fmt::format("branch @{} {}", path(at), arrived ? "arrived" : "ended"));
    if (scope.detached) {
      world_.scopes.at(at).settled = true;
      return;
    }
    (arrived ? fan_out.arrived : fan_out.ended).push_back(scope.index);
    if (fan_out.joined) {
      // What has arrived waits for the join, with all that is in it.
      world_.scopes.at(at).settled = true;
      if (!arrived) close(at);
      examine_join(scope.fan_out, false);
      return;
    }
    if (fan_out.run != 0) {
      fan_out.results[scope.index] = scope_output(scope);
      close(at);
      return loop_goes_on(scope.fan_out);
    }
    close(at);
    fan_out.open = fan_out.settled() < fan_out.total();
  }
}

// Everything that lives in it is cancelled; what has ended in it keeps its name.
void Interpreter::cancel_in(int scope) {
  auto lies_in = [&](int other) { return scope == kRoot || is_in(other, scope); };
  std::erase_if(world_.runs, [&](const auto& each) {
    const bool cancelled = lies_in(world_.tokens.at(each.second.token).scope);
    if (cancelled) line(fmt::format("cancelled {}", name(each.second)));
    return cancelled;
  });
  for (auto& [id, token] : world_.tokens) {
    if (lies_in(token.scope)) token.life = Life::over;
  }
  for (auto& [id, fan_out] : world_.fan_outs) {
    if (lies_in(fan_out.scope)) fan_out.open = false;
  }
  for (auto& [id, own] : world_.scopes) {
    if (id == scope || !lies_in(id)) continue;
    own.settled = true;
    own.closed = own.closed || scope != kRoot;
  }
}

// Fires or fails the join if its branches say so. True if a failure reached the execution by that.
bool Interpreter::examine_join(int id, bool moving) {
  const FanOut& fan_out = world_.fan_outs.at(id);
  if (!fan_out.open) return false;
  const Join& join = *step_of(*step_of(fan_out.step).joined_by).join;
  const auto arrived = static_cast<int>(fan_out.arrived.size());
  const int live = fan_out.total() - fan_out.settled();
  bool fires = false;
  bool fails = false;
  switch (join.mode) {
    case JoinMode::all:
      fails = (!fan_out.ended.empty() && !join.allow_ended) || (!fan_out.failed.empty() && !join.allow_failed);
      fires = live == 0;
      break;
    case JoinMode::any:
      fires = arrived > 0;
      fails = live == 0;
      break;
    case JoinMode::m_of_n:
      fires = arrived >= join.m;
      fails = arrived + live < join.m;
      break;
  }
  if (join.mode != JoinMode::all && fires) fails = false;
  if (fails) return fail_join(id, {.error_class = "transport", .kind = "join_unsatisfied"}, moving);
  if (fires) fire_join(id);
  return false;
}

// Branches that are left over are cancelled or go on by themselves; answers their indices.
std::vector<int> Interpreter::close_fan_out(int id, bool abandon) {
  FanOut& fan_out = world_.fan_outs.at(id);
  fan_out.open = false;
  std::vector<int> left;
  for (int index = 0; index < fan_out.total(); ++index) {
    const auto branch = fan_out.branches.find(index);
    if (branch == fan_out.branches.end()) {
      left.push_back(index);
      continue;
    }
    Scope& scope = world_.scopes.at(branch->second);
    if (!scope.settled) left.push_back(index);
    if (!scope.settled && abandon) {
      scope.detached = true;
      line(fmt::format("detached @{}", path(scope.id)));
      continue;
    }
    cancel_in(scope.id);
    close(scope.id);
  }
  return left;
}

Token& Interpreter::join_token(const FanOut& fan_out, const std::vector<int>& left) {
  auto indices = [](std::vector<int> all) {
    std::ranges::sort(all);
    std::vector<Value> values;
    for (const int index : all) values.push_back(Value(index));
    return Value::list(std::move(values));
  };
  Token& token = new_token(*step_of(fan_out.step).joined_by, fan_out.scope,
                           Value::map({{"total", fan_out.total()},
                                       {"arrived", indices(fan_out.arrived)},
                                       {"ended", indices(fan_out.ended)},
                                       {"failed", indices(fan_out.failed)},
                                       {"cancelled", indices(left)}}));
  token.past_join = true;
  line(fmt::format("joined by {} @{} {}", step_of(token.step).name, path(token.scope), plain(token.args)));
  return token;
}

bool Interpreter::fail_join(int id, Error error, bool moving) {
  const FanOut fan_out = world_.fan_outs.at(id);
  const Join& join = *step_of(*step_of(fan_out.step).joined_by).join;
  const std::vector<int> left = close_fan_out(id, join.abandon_early);
  Run* run = start_run(join_token(fan_out, left));
  if (run == nullptr) return false;
  run->failed_join = true;
  if (moving) return fail_moving(run->id, error);
  fail(run->id, std::move(error));
  return false;
}

void Interpreter::fire_join(int id) {
  const FanOut fan_out = world_.fan_outs.at(id);
  const Join& join = *step_of(*step_of(fan_out.step).joined_by).join;
  const auto writes = merged(fan_out, join);
  const std::vector<int> left = close_fan_out(id, join.abandon_early);
  if (!writes) {
    Run* run = start_run(join_token(fan_out, left));
    if (run == nullptr) return;
    run->failed_join = true;
    return fail(run->id, writes.error());
  }
  for (const Write& each : *writes) write_ctx(fan_out.scope, each.path, each.value);
  changed();
  join_token(fan_out, left);
}

// What the join writes: the writes of the arrived branches in index order, or one value made of their outputs.
std::expected<std::vector<Write>, Error> Interpreter::merged(const FanOut& fan_out, const Join& join) const {
  std::vector<int> arrived = fan_out.arrived;
  std::ranges::sort(arrived);
  std::vector<Write> writes;
  if (!join.merge) {
    for (const int index : arrived) {
      const auto& overlay = world_.scopes.at(fan_out.branches.at(index)).overlay;
      writes.insert(writes.end(), overlay.begin(), overlay.end());
    }
    return writes;
  }
  auto source = [&](int index) {
    const Value output = scope_output(world_.scopes.at(fan_out.branches.at(index)));
    const Value* found = get(output, join.merge->source);
    return found == nullptr ? Value() : *found;
  };
  std::vector<Value> list;
  std::vector<Member> members;
  for (const int index : arrived) {
    const Value value = source(index);
    list.push_back(value);
    if (join.merge->strategy == MergeStrategy::merge_object) {
      if (!value.is_map()) return std::unexpected(Error{.error_class = "transport", .kind = "merge"});
      members.insert(members.end(), value.as_map().begin(), value.as_map().end());
    }
    if (join.merge->strategy == MergeStrategy::keyed_by_branch) {
      Value key = index;
      if (join.merge->key) {
        const auto rendered = render(*join.merge->key, fan_out.branches.at(index), {});
        if (!rendered) return std::unexpected(rendered.error());
        key = *rendered;
      }
      members.push_back({Value(key.is_text() ? std::string(key.as_text()) : plain(key)), value});
    }
  }
  Value all = Value::map(members);
  if (join.merge->strategy == MergeStrategy::append) all = Value::list(list);
  if (join.merge->strategy == MergeStrategy::last_wins) {
    all = fan_out.arrived.empty() ? Value() : source(fan_out.arrived.back());
  }
  const Path& target = join.merge->target;
  writes.push_back({target.without_first(1), all});
  return writes;
}

// A loop is a fan-out of one step over frozen items, with a join of its own.
void Interpreter::open_loop(Run& run) {
  const Token& token = world_.tokens.at(run.token);
  const Loop& loop = *step_of(run.step).loop;
  auto items = items_of(loop.in, token.scope, extras_of(token));
  if (!items) return fail(run.id, items.error());
  run.work = Work::loop;
  const int id = ++world_.last_fan_out;
  Leg leg{.target = run.step, .each = true, .item_name = loop.iterator, .max_in_flight = loop.max_in_flight};
  leg.args.assign(items->size(), token.args);
  leg.items = std::move(*items);
  world_.fan_outs[id] = {.id = id, .step = run.step, .scope = token.scope, .run = run.id, .legs = {leg}};
  loop_goes_on(id);
}

// Done when the last iteration has settled.
void Interpreter::loop_goes_on(int id) {
  FanOut& loop = world_.fan_outs.at(id);
  if (loop.settled() < loop.total()) return;
  loop.open = false;
  std::vector<Value> results;
  std::vector<Value> errors;
  for (int index = 0; index < loop.total(); ++index) {
    results.push_back(loop.results.contains(index) ? loop.results.at(index) : Value());
  }
  for (const auto& [index, error] : loop.errors) {
    errors.push_back(Value::map({{"index", index}, {"error", error.to_value()}}));
  }
  const auto failed = static_cast<int>(loop.failed.size());
  done(loop.run,
       Value::map(
           {{"results", Value::list(std::move(results))},
            {"errors", Value::list(std::move(errors))},
            {"stats",
             Value::map(
                 {{"total", loop.total()}, {"ok", loop.total() - failed}, {"failed", failed}, {"cancelled", 0}})}}));
}

}  // namespace stepwell::reference
