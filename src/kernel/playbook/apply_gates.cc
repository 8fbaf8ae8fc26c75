#include <algorithm>

#include "stepwell/kernel/playbook/applier.h"

namespace stepwell {

// Marks the gated tokens that see what changed: those whose home is `home` or lies inside it. A query sees all of ctx
// and nothing else.
template <typename Sees>
void Applier::recheck(ScopeId home, bool in_ctx, Sees sees) {
  auto mark = [&](const Gates::Steps& steps) {
    for (const auto& [step, tokens] : steps) {
      const std::optional<Expression>& guard = definition_.steps[step].when;
      if (!(guard ? sees(*guard) : in_ctx)) continue;
      for (const TokenId id : tokens) {
        Token& token = state_.tokens.at(id);
        if (token.state != TokenState::gated) continue;
        token.state = TokenState::recheck;
        to_agenda(id);
      }
    }
  };
  if (home == kRootScope) {
    for (const auto& [each, steps] : state_.watched->gates.homes()) mark(steps);
    return;
  }
  if (const Gates::Steps* steps = state_.watched->gates.at(home)) mark(*steps);
  // Joined fan-outs inside a branch are rare, so they are looked for only where there are some.
  if (state_.scopes.at(home).inner_homes == 0) return;
  for (const auto& [each, steps] : state_.watched->gates.homes()) {
    if (each != home && lies_in(each, home)) mark(steps);
  }
}

bool Applier::lies_in(ScopeId home, ScopeId outer) const {
  while (home != kRootScope && home != outer) home = state_.scopes.at(state_.scopes.at(home).parent).home;
  return home == outer;
}

void Applier::recheck_ctx(ScopeId home, const Path& path) {
  Path read{"ctx"};
  for (const Segment& segment : path) read.push_back(segment);
  recheck(home, true, [&](const Expression& guard) { return guard.program.reads_any_of(read); });
}

void Applier::recheck_step(ScopeId scope, StepIndex step) {
  recheck(state_.scopes.at(scope).home, false, [&](const Expression& guard) {
    return guard.reads_last_error || std::ranges::any_of(guard.names, [&](Name name) {
             return (name.kind == NameKind::step && name.index == step) || name.kind == NameKind::execution;
           });
  });
}

void Applier::recheck_iter(ScopeId scope) {
  recheck(state_.scopes.at(scope).home, false, [&](const Expression& guard) {
    return std::ranges::any_of(guard.names, [](Name name) { return name.kind == NameKind::iter; });
  });
}

}  // namespace stepwell
