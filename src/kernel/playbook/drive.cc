#include <fmt/format.h>

#include "stepwell/expr/operators.h"
#include "stepwell/kernel/playbook/decider.h"

namespace stepwell {

// Lowest token first. A branch opens only when no token is left to look at, so branches follow one another where they
// can run to their end, and a fan-out of many costs no more memory than what is in flight.
void Decider::run_to_rest() {
  while (active()) {
    if (raise_next() || close_touched()) continue;
    if (state_.suspended) {
      if (park_held()) continue;
      return;
    }
    if (met_bound()) {
      yielded_ = true;
      out_.emit(WorkflowYielded{});
      out_.ask(YieldAgain{});
      return;
    }
    if (const auto token = out_.take_token()) {
      ++firings_;
      look_at(*token);
    } else if (const auto branch = out_.next_to_open()) {
      ++firings_;
      out_.emit(BranchOpened{.fan_out = branch->first,
                             .index = branch->second,
                             .scope = state_.last_scope.next(),
                             .token = state_.last_token.next()});
    } else if (!resolve_stall()) {
      return;
    }
  }
}

// A decision stops between two tokens, never inside what one of them does.
bool Decider::met_bound() const {
  return firings_ == limits::kFirings || ambient_.operations >= limits::kDecisionOperations;
}

// Whether there was a scope to look at.
bool Decider::close_touched() {
  if (touched_.empty()) return false;
  const ScopeId id = touched_.back();
  touched_.pop_back();
  const Scope* scope = state_.scopes.find(id);
  if (scope != nullptr && scope->live == 0 && !scope->settled) close_scope(id);
  return true;
}

// Coming to a join starts no run, so it happens while tokens are held: a join must see who has arrived.
bool Decider::park_held() {
  const Few<TokenId> held = state_.agenda;
  bool parked = false;
  for (const TokenId id : held) {
    const Token* token = state_.tokens.find(id);
    if (token == nullptr || token->state != TokenState::created || token->past_join || token->is_body) continue;
    const Step& step = step_of(token->step);
    if (!step.join || arrival_of(*token, *step.join) != Arrival::parks) continue;
    park(id);
    parked = true;
  }
  return parked;
}

void Decider::discard(TokenId id) {
  const ScopeId scope = state_.tokens.at(id).scope;
  out_.emit(TokenDiscarded{id});
  touch(scope);
}

void Decider::park(TokenId id) {
  const ScopeId scope = state_.tokens.at(id).scope;
  out_.emit(TokenParked{id});
  touch(scope);
  touch(state_.scopes.at(scope).home);
}

// Whether a detached branch comes from the fan-out that the join has closed.
bool Decider::left_behind(const Scope& branch, const Join& join) const {
  const Value* around = branch.inner->frozen.find("_branch");
  const Value* step = around == nullptr ? nullptr : around->find("fan_out_step");
  return step != nullptr && *step == Value(step_of(join.from).name);
}

Decider::Arrival Decider::arrival_of(const Token& token, const Join& join) const {
  ScopeId home = state_.scopes.at(token.scope).home;
  for (bool innermost = true; home != kRootScope; innermost = false) {
    const Scope& branch = state_.scopes.at(home);
    if (branch.detached) return left_behind(branch, join) ? Arrival::too_late : Arrival::ordinary;
    if (state_.fan_outs->at(branch.fan_out).step == join.from) return innermost ? Arrival::parks : Arrival::overlaps;
    home = state_.scopes.at(branch.parent).home;
  }
  return Arrival::ordinary;
}

void Decider::look_at(TokenId id) {
  const Token& token = state_.tokens.at(id);
  const Step& step = step_of(token.step);
  if (step.join && !token.past_join && !token.is_body) {
    switch (arrival_of(token, *step.join)) {
      case Arrival::ordinary: break;
      case Arrival::parks: return park(id);
      case Arrival::too_late: return discard(id);
      case Arrival::overlaps:
        return fail_at_start(id, {.error_class = ErrorClass::transport,
                                  .kind = "join_overlap",
                                  .message = fmt::format(
                                      "'{}' joins the branches of '{}', but another joined fan-out is still open here",
                                      step.name, step_of(step.join->from).name)});
    }
  }
  if (!token.has_args) {
    auto args = render(scene_of(token), *step.args, ambient_);
    if (!args) return fail_at_start(id, std::move(args.error()->error));
    std::vector<Member> members(args->as_map().begin(), args->as_map().end());
    if (token.args.is_map()) members.insert(members.end(), token.args.as_map().begin(), token.args.as_map().end());
    out_.emit(TokenArgs{.token = id, .args = Value::map(std::move(members))});
  }
  if (!token.is_body && step.guarded() && ask_guard(state_.tokens.at(id), step) != Gate::open) return;
  begin(id);
}

// What the guard of a step says: an expression, or a query over the ctx that is seen from here.
std::expected<bool, Boxed<SceneError>> Decider::guard_holds(const Token& token, const Step& step) {
  if (step.when) return ask(scene_of(token), *step.when, ambient_);
  auto ctx = visible_ctx(state_, token.scope);
  if (!ctx) return std::unexpected(SceneError{std::move(*ctx.error()), std::nullopt});
  auto answer = lookups_.query(step.when_sql, *ctx);
  if (answer) return truthy(*answer);
  return std::unexpected(SceneError{{.error_class = ErrorClass::expression,
                                     .kind = "sql",
                                     .message = fmt::format("{} in '{}'", answer.error(), step.when_sql)},
                                    std::nullopt});
}

Decider::Gate Decider::ask_guard(const Token& token, const Step& step) {
  const TokenId id = token.id;
  const bool was_gated = token.state == TokenState::gated;
  const bool holds = definition_.policy.when_false == WhenFalse::hold;
  const auto answer = guard_holds(token, step);
  if (answer && *answer) return Gate::open;
  std::string missing;
  if (!answer) {
    const std::optional<Path>& path = answer.error()->missing;
    const bool not_yet = path && !path->empty() && (*path)[0] == Segment("ctx");
    if (!holds || !not_yet) {
      fail_at_start(id, answer.error()->error);
      return Gate::failed;
    }
    missing = path->str();
  }
  if (!holds) {
    discard(id);
  } else if (!was_gated) {
    auto reads = step.when ? guard_reads(scene_of(token), *step.when, missing) : std::vector<GuardRead>();
    out_.emit(TokenGated{.token = id, .missing = std::move(missing), .reads = std::move(reads)});
  }
  return Gate::shut;
}

}  // namespace stepwell
