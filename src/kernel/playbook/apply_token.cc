#include <algorithm>

#include "stepwell/kernel/playbook/applier.h"

namespace stepwell {

namespace {

// The constant defaults of a step with what the arc gave laid over them, key by key.
Value with_defaults(const Step& step, Value given) {
  const Value* defaults = step.args ? step.args->constant() : nullptr;
  if (defaults == nullptr || !defaults->is_map() || defaults->as_map().empty()) return given;
  if (!given.is_map() || given.as_map().empty()) return *defaults;
  std::vector<Member> members(defaults->as_map().begin(), defaults->as_map().end());
  members.insert(members.end(), given.as_map().begin(), given.as_map().end());
  return Value::map(std::move(members));
}

}  // namespace

void Applier::add_token(TokenId id, StepIndex step, ScopeId scope, Value args, bool past_join, bool is_body) {
  CHECK(id > state_.last_token);
  state_.last_token = id;
  const bool computed = definition_.steps[step].args && definition_.steps[step].args->constant() == nullptr;
  Token& token = state_.tokens.add(id);
  token.step = step;
  token.past_join = past_join;
  token.is_body = is_body;
  token.has_args = is_body || !computed;
  token.scope = scope;
  token.args = is_body ? std::move(args) : with_defaults(definition_.steps[step], std::move(args));
  Scope& in = state_.scopes.at(scope);
  token.after = in.first_token;
  if (in.first_token) state_.tokens.at(in.first_token).before = id;
  in.first_token = id;
  ++in.live;
  to_agenda(id);
}

void Applier::to_agenda(TokenId id) {
  state_.agenda.push_back(id);
  if (state_.agenda.size() > 1) std::ranges::push_heap(state_.agenda, std::greater());
}

void Applier::ungate(Token& token) {
  if (token.state != TokenState::gated && token.state != TokenState::recheck) return;
  state_.watched.write().gates.remove(state_.scopes.at(token.scope).home, token.step, token.id);
}

void Applier::unlink(const Token& token, Scope& scope) {
  if (token.before) state_.tokens.at(token.before).after = token.after;
  if (token.after) state_.tokens.at(token.after).before = token.before;
  if (scope.first_token == token.id) scope.first_token = token.after;
}

void Applier::remove_token(Token& token) {
  ungate(token);
  Scope& scope = state_.scopes.at(token.scope);
  unlink(token, scope);
  if (token.state == TokenState::at_join) {
    --scope.parked;
  } else {
    --scope.live;
  }
  state_.tokens.erase(token);
}

void Applier::operator()(const TokenCreated& event) {
  add_token(event.token, event.step, event.scope, event.args, event.past_join, false);
}

void Applier::operator()(const TokenArgs& event) {
  Token& token = state_.tokens.at(event.token);
  token.args = event.args;
  token.has_args = true;
}

void Applier::operator()(const TokenGated& event) {
  Token& token = state_.tokens.at(event.token);
  if (token.state == TokenState::created) {
    state_.watched.write().gates.add(state_.scopes.at(token.scope).home, token.step, token.id);
  }
  token.state = TokenState::gated;
}

void Applier::operator()(const TokenDiscarded& event) { remove_token(state_.tokens.at(event.token)); }

// A parked token belongs to the branch that its join waits for, however deep it came from.
void Applier::operator()(const TokenParked& event) {
  Token& token = state_.tokens.at(event.token);
  Scope& scope = state_.scopes.at(token.scope);
  unlink(token, scope);
  --scope.live;
  const ScopeId home = scope.home;
  Scope& branch = state_.scopes.at(home);
  token.state = TokenState::at_join;
  token.scope = home;
  token.before = {};
  token.after = branch.first_token;
  if (branch.first_token) state_.tokens.at(branch.first_token).before = token.id;
  branch.first_token = token.id;
  ++branch.parked;
}

}  // namespace stepwell
