#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/rare.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

// Where tokens run: scopes, what has ended in them, and the fan-outs and loops that open them. Parts of the State of an
// execution.
namespace stepwell {

// The latest ended run of a step, as seen from a scope.
struct StepResult {
  StepIndex step = 0;
  bool failed = false;
  std::optional<StepIndex> several = {};  // the fan-out or loop in several of whose parts it ran: no single result
  std::uint32_t attempts = 0;
  FanOutId from = {};  // the fan-out that it was closed out of; none if it ran in the scope itself
  RunId run = {};
  std::uint64_t order = 0;  // how many runs had ended when this one had, with it
  EncodedValue output = {};
  std::shared_ptr<const RunError> error = {};
  Value child = {};
  static constexpr void each_field(auto visit) {
    visit("step", &StepResult::step);
    visit("failed", &StepResult::failed);
    visit("several", &StepResult::several);
    visit("attempts", &StepResult::attempts);
    visit("from", &StepResult::from);
    visit("run", &StepResult::run);
    visit("order", &StepResult::order);
    visit("output", &StepResult::output);
    visit("error", &StepResult::error);
    visit("child", &StepResult::child);
  }
};

// Numbers are in snapshots.
enum class ScopeKind : std::uint8_t { root = 1, branch = 2, iteration = 3, block = 4 };
constexpr bool known(ScopeKind value) {
  switch (value) {
    case ScopeKind::root:
    case ScopeKind::branch:
    case ScopeKind::iteration:
    case ScopeKind::block: return true;
  }
  return false;
}

// What a scope has that is not the root.
struct InnerScope {
  RunId owner = {};                 // block: the run that it is
  std::uint32_t leg = 0;            // branch: which taken arc
  Value item = {};                  // branch and iteration
  Value iter = {};                  // iteration: what was written to iter.*
  std::vector<Write> overlay = {};  // isolated: in order, no path twice
  Value frozen = {};                // detached: what the names of the scopes around it meant, by name

  bool empty() const {
    return !owner && leg == 0 && item.is_null() && iter.is_null() && overlay.empty() && frozen.is_null();
  }
  static constexpr void each_field(auto visit) {
    visit("owner", &InnerScope::owner);
    visit("leg", &InnerScope::leg);
    visit("item", &InnerScope::item);
    visit("iter", &InnerScope::iter);
    visit("overlay", &InnerScope::overlay);
    visit("frozen", &InnerScope::frozen);
  }
};

struct Scope {
  ScopeId id = {};
  ScopeKind kind = ScopeKind::root;
  bool isolated = false;  // ctx writes go to the overlay
  bool detached = false;
  bool wrote = false;    // something was written in it: to its overlay, or to iter
  bool settled = false;  // of a joined branch: it has arrived, ended or failed, and waits for the join
  ScopeId parent = {};
  ScopeId home = {};      // the nearest isolated scope around it or itself, else the root: whose ctx it sees
  FanOutId fan_out = {};  // branch and iteration
  std::uint32_t index = 0;
  std::uint64_t last_order = 0;          // when a run ended last in it or below, as StepResult::order; 0: none has
  EncodedValue last = {};                // the output of the run that ended last in it
  std::vector<StepResult> results = {};  // by step, of those that some expression reads by name
  std::shared_ptr<const RunError> last_error = {};
  Rare<InnerScope> inner = {};

  // Derived.
  std::uint32_t live = 0;         // tokens that are live and open fan-outs directly in it; none: quiescent
  std::uint32_t parked = 0;       // tokens at the join of this branch
  std::uint32_t inner_homes = 0;  // of an isolated one or the root: isolated ones whose next home outward it is
  TokenId first_token = {};
  std::vector<FanOutId> fan_outs = {};  // open ones
  ScopeId first_child = {};
  ScopeId before = {};
  ScopeId after = {};
  static constexpr void each_field(auto visit) {
    visit("id", &Scope::id);
    visit("kind", &Scope::kind);
    visit("isolated", &Scope::isolated);
    visit("detached", &Scope::detached);
    visit("wrote", &Scope::wrote);
    visit("settled", &Scope::settled);
    visit("last_order", &Scope::last_order);
    visit("parent", &Scope::parent);
    visit("home", &Scope::home);
    visit("fan_out", &Scope::fan_out);
    visit("index", &Scope::index);
    visit("last", &Scope::last);
    visit("results", &Scope::results);
    visit("last_error", &Scope::last_error);
    visit("inner", &Scope::inner);
  }
};

// A fan-out, or a loop: a fan-out of one step over items with a built-in join.
struct FanOut {
  FanOutId id = {};
  StepIndex step = 0;
  bool is_loop = false;
  bool joined = false;
  ScopeId scope = {};  // around it
  RunId run = {};      // of the loop
  TakenArcs legs = {};
  Value items = {};  // of the loop
  std::uint32_t total = 0;
  std::uint32_t opened = 0;
  std::uint32_t settled = 0;
  std::optional<Instant> deadline = {};
  std::vector<std::uint32_t> arrived = {};  // indices, in order of arrival
  std::vector<std::uint32_t> ended = {};
  std::vector<std::uint32_t> failed = {};
  std::vector<std::uint32_t> cancelled = {};
  std::vector<EncodedValue> outputs = {};                                              // of the loop, by index
  std::vector<std::pair<std::uint32_t, std::shared_ptr<const RunError>>> errors = {};  // of branches and iterations
  std::vector<ScopeId> branches = {};  // joined: those that were opened and may still matter to the join, by index
  std::vector<std::uint32_t> leg_in_flight = {};
  std::vector<std::uint32_t> leg_opened = {};

  // Derived.
  bool queued = false;  // it is among those that may open a branch

  std::uint32_t in_flight() const { return opened - settled; }
  static constexpr void each_field(auto visit) {
    visit("id", &FanOut::id);
    visit("step", &FanOut::step);
    visit("is_loop", &FanOut::is_loop);
    visit("joined", &FanOut::joined);
    visit("scope", &FanOut::scope);
    visit("run", &FanOut::run);
    visit("legs", &FanOut::legs);
    visit("items", &FanOut::items);
    visit("total", &FanOut::total);
    visit("opened", &FanOut::opened);
    visit("settled", &FanOut::settled);
    visit("deadline", &FanOut::deadline);
    visit("arrived", &FanOut::arrived);
    visit("ended", &FanOut::ended);
    visit("failed", &FanOut::failed);
    visit("cancelled", &FanOut::cancelled);
    visit("outputs", &FanOut::outputs);
    visit("errors", &FanOut::errors);
    visit("branches", &FanOut::branches);
    visit("leg_in_flight", &FanOut::leg_in_flight);
    visit("leg_opened", &FanOut::leg_opened);
  }
};

}  // namespace stepwell
