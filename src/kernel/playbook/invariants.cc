#include "stepwell/kernel/playbook/invariants.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/kernel/playbook/fan_out.h"

namespace stepwell {

namespace {

class Checker {
 public:
  Checker(const Definition& definition, const State& state) : definition_(definition), state_(state) {}

  std::optional<std::string> run() {
    if (state_.phase >= Phase::ended) {
      expect(state_.tokens.empty() && state_.runs.empty() && state_.fan_outs->empty(), "an ended execution has work");
      return broken_;
    }
    state_.tokens.each([this](const Token& token) { check(token); });
    state_.runs.each([this](const Run& run) { check(run); });
    state_.scopes.each([this](const Scope& scope) { check(scope); });
    state_.fan_outs->each([this](const FanOut& fan_out) { check(fan_out); });
    check_derived();
    return broken_;
  }

 private:
  void expect(bool holds, std::string_view what, std::uint64_t id = 0) {
    if (!holds && !broken_) broken_ = id == 0 ? std::string(what) : fmt::format("{} ({})", what, id);
  }

  // Every token is in exactly one place: a scope, and a run if it runs.
  void check(const Token& token) {
    expect(state_.scopes.find(token.scope) != nullptr, "a token is in no scope", token.id.number);
    const Run* run = state_.runs.find(token.run);
    const bool runs = token.state == TokenState::running;
    expect(runs == (run != nullptr && run->token == token.id), "a token and its run disagree", token.id.number);
    expect(token.state != TokenState::at_join || state_.scopes.at(token.scope).isolated,
           "a token is parked outside a joined branch", token.id.number);
  }

  void check(const Run& run) {
    const Token* token = state_.tokens.find(run.token);
    expect(token != nullptr && token->scope == run.scope && token->step == run.step, "a run has no token",
           run.id.number);
    expect(!std::holds_alternative<Deciding>(run.work), "a run waits for nothing", run.id.number);
    if (const auto* loop = std::get_if<OpenLoop>(&run.work)) {
      const FanOut* fan_out = state_.fan_outs->find(loop->fan_out);
      expect(fan_out != nullptr && fan_out->run == run.id, "a loop has no iterations", run.id.number);
    }
    if (const auto* block = std::get_if<OpenBlock>(&run.work)) {
      const Scope* scope = state_.scopes.find(block->scope);
      expect(scope != nullptr && scope->inner->owner == run.id, "a block has no scope", run.id.number);
    }
  }

  // Scopes form a tree, and one that is at rest has been closed.
  void check(const Scope& scope) {
    if (scope.kind == ScopeKind::root) return expect(scope.id == kRootScope, "there are two roots", scope.id.number);
    const Scope* parent = state_.scopes.find(scope.parent);
    expect(parent != nullptr && scope.parent < scope.id, "a scope has no parent", scope.id.number);
    expect(scope.live > 0 || scope.settled, "a scope at rest is still open", scope.id.number);
    expect(parent == nullptr || scope.home == (scope.isolated ? scope.id : parent->home), "a scope has a wrong home",
           scope.id.number);
    if (scope.kind == ScopeKind::block || scope.detached) return;
    expect(state_.fan_outs->find(scope.fan_out) != nullptr, "a branch has no fan-out", scope.id.number);
  }

  void check(const FanOut& fan_out) {
    expect(state_.scopes.find(fan_out.scope) != nullptr, "a fan-out is in no scope", fan_out.id.number);
    expect(fan_out.opened <= fan_out.total && fan_out.settled <= fan_out.opened, "a fan-out miscounts",
           fan_out.id.number);
    std::set<std::uint32_t> seen;
    for (const auto* indices : {&fan_out.arrived, &fan_out.ended, &fan_out.failed, &fan_out.cancelled}) {
      seen.insert(indices->begin(), indices->end());
    }
    expect(seen.size() == fan_out.settled, "a branch settled twice or not at all", fan_out.id.number);
    if (!fan_out.joined) return;
    const Join& join = *definition_.steps[*definition_.steps[fan_out.step].joined_by].join;
    expect(judge(join, fan_out) == JoinVerdict::wait, "a join that is decided is still open", fan_out.id.number);
  }

  // What is derived is what would be derived.
  void check_derived() {
    if (broken_) return;
    const auto fresh = decode_state(definition_, encode_state(state_));
    if (!fresh) return expect(false, fresh.error());
    expect(fresh->open_work == state_.open_work, "open work is miscounted");
    expect(fresh->watched->gates.size() == state_.watched->gates.size(), "gated tokens are miscounted");
    expect(fresh->watched->signal_waits == state_.watched->signal_waits, "waits for signals are not those of the runs");
    state_.scopes.each([&](const Scope& scope) {
      const Scope& other = fresh->scopes.at(scope.id);
      expect(scope.live == other.live && scope.parked == other.parked, "a scope miscounts", scope.id.number);
      expect(scope.inner_homes == other.inner_homes, "a scope miscounts those inside", scope.id.number);
      auto sorted = [](std::vector<FanOutId> ids) {
        std::ranges::sort(ids);
        return ids;
      };
      expect(sorted(scope.fan_outs) == sorted(other.fan_outs), "a scope has other fan-outs", scope.id.number);
    });
    state_.tokens.each([&](const Token& token) {
      if (token.state != TokenState::created) return;
      expect(std::ranges::count(state_.agenda, token.id) != 0, "a token was forgotten", token.id.number);
      expect(state_.suspended || state_.yielded(), "a token was left over", token.id.number);
    });
  }

  const Definition& definition_;
  const State& state_;
  std::optional<std::string> broken_;
};

}  // namespace

std::optional<std::string> check_invariants(const Definition& definition, const State& state) {
  return Checker(definition, state).run();
}

}  // namespace stepwell
