#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/limits.h"
#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/gates.h"
#include "stepwell/kernel/playbook/signal_waits.h"
#include "stepwell/kernel/playbook/timers.h"
#include "stepwell/kernel/table.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

// One execution as it stands. Only `apply` writes it. What is marked derived can be computed from the rest, is not part
// of a snapshot, and is checked by check_invariants.
namespace stepwell {

// Numbers are in snapshots.
enum class TokenState : std::uint8_t {
  created = 1,  // to be looked at
  gated = 2,    // its guard was false
  running = 4,
  at_join = 5,
  recheck = 6,  // gated, and something that its guard reads has changed: to be looked at. Same as gated in a snapshot
};

constexpr bool known(TokenState value) {
  switch (value) {
    case TokenState::created:
    case TokenState::gated:
    case TokenState::running:
    case TokenState::at_join: return true;
    case TokenState::recheck: break;  // never written
  }
  return false;
}

inline TokenState stored(TokenState state) { return state == TokenState::recheck ? TokenState::gated : state; }

struct Token {
  TokenId id = {};
  StepIndex step = 0;
  TokenState state = TokenState::created;
  bool past_join = false;  // the join of its step has fired
  bool is_body = false;    // runs one iteration of its step's loop
  bool has_args = false;   // the computed defaults of its step are in its args
  ScopeId scope = {};
  RunId run = {};
  Value args = {};  // null: none

  // Derived: the other tokens of its scope.
  TokenId before = {};
  TokenId after = {};
  static constexpr void each_field(auto visit) {
    visit("id", &Token::id);
    visit("step", &Token::step);
    visit("state", &Token::state);
    visit("past_join", &Token::past_join);
    visit("is_body", &Token::is_body);
    visit("has_args", &Token::has_args);
    visit("scope", &Token::scope);
    visit("run", &Token::run);
    visit("args", &Token::args);
  }
};

// What a run waits for.
struct OpenAttempt {
  Value inputs = {};
  Value cursor = {};
  static constexpr std::uint8_t kTag = 2;
  static constexpr void each_field(auto visit) {
    visit("inputs", &OpenAttempt::inputs);
    visit("cursor", &OpenAttempt::cursor);
  }
};
struct OpenBackoff {
  Value cursor = {};  // null: the whole attempt is tried again
  Instant at = {};
  static constexpr std::uint8_t kTag = 3;
  static constexpr void each_field(auto visit) {
    visit("cursor", &OpenBackoff::cursor);
    visit("at", &OpenBackoff::at);
  }
};
struct OpenTimer {
  Instant at = {};
  static constexpr std::uint8_t kTag = 4;
  static constexpr void each_field(auto visit) { visit("at", &OpenTimer::at); }
};
struct OpenSignal {
  static constexpr std::uint8_t kTag = 5;
  static constexpr void each_field(auto) {}
};
struct OpenTask {
  Value title = {};
  Value payload = {};
  std::string assignee = {};  // empty: nobody has claimed it
  static constexpr std::uint8_t kTag = 6;
  static constexpr void each_field(auto visit) {
    visit("title", &OpenTask::title);
    visit("payload", &OpenTask::payload);
    visit("assignee", &OpenTask::assignee);
  }
};
struct OpenCall {
  std::string child = {};
  static constexpr std::uint8_t kTag = 7;
  static constexpr void each_field(auto visit) { visit("child", &OpenCall::child); }
};
struct OpenLoop {
  FanOutId fan_out = {};
  static constexpr std::uint8_t kTag = 8;
  static constexpr void each_field(auto visit) { visit("fan_out", &OpenLoop::fan_out); }
};
struct OpenBlock {
  ScopeId scope = {};
  static constexpr std::uint8_t kTag = 9;
  static constexpr void each_field(auto visit) { visit("scope", &OpenBlock::scope); }
};
struct ParkedFailure {
  std::shared_ptr<const RunError> error = {};
  static constexpr std::uint8_t kTag = 10;
  static constexpr void each_field(auto visit) { visit("error", &ParkedFailure::error); }
};
struct OpenBlobs {
  Shared<BlobWait> wait = {};
  static constexpr std::uint8_t kTag = 11;
  static constexpr void each_field(auto visit) { visit("wait", &OpenBlobs::wait); }
};
// Between its start and what it opens or how it ends, within one decision.
struct Deciding {
  static constexpr std::uint8_t kTag = 1;
  static constexpr void each_field(auto) {}
};

using OpenWork = std::variant<Deciding, OpenAttempt, OpenBackoff, OpenTimer, OpenSignal, OpenTask, OpenCall, OpenLoop,
                              OpenBlock, ParkedFailure, OpenBlobs>;

// Whether something outside, or time, moves a run with this work on.
bool is_open(const OpenWork& work);

struct Run {
  RunId id = {};
  StepIndex step = 0;
  std::uint32_t ordinal = 0;  // which run of its step, from 1
  std::uint32_t attempt = 1;
  std::uint32_t offer = 1;
  TokenId token = {};
  ScopeId scope = {};
  std::optional<Instant> deadline = {};
  OpenWork work = {};
  Value child = {};  // of a call whose child has ended

  WaitingToken waiting_token() const { return {id, attempt, offer}; }
  static constexpr void each_field(auto visit) {
    visit("id", &Run::id);
    visit("step", &Run::step);
    visit("ordinal", &Run::ordinal);
    visit("attempt", &Run::attempt);
    visit("offer", &Run::offer);
    visit("token", &Run::token);
    visit("scope", &Run::scope);
    visit("deadline", &Run::deadline);
    visit("work", &Run::work);
    visit("child", &Run::child);
  }
};

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
  RunId owner = {};       // block: the run that it is
  std::uint32_t index = 0;
  std::uint32_t leg = 0;         // branch: which taken arc
  std::uint64_t last_order = 0;  // when a run ended last in it or below, as StepResult::order; 0: none has
  EncodedValue last = {};        // the output of the run that ended last in it
  Value item = {};
  Value iter = {};                       // iteration: what was written to iter.*
  std::vector<Write> overlay = {};       // isolated: in order, no path twice
  std::vector<StepResult> results = {};  // by step, of those that some expression reads by name
  std::shared_ptr<const RunError> last_error = {};
  Value frozen = {};  // detached: what the names of the scopes around it meant, by name

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
    visit("owner", &Scope::owner);
    visit("index", &Scope::index);
    visit("leg", &Scope::leg);
    visit("last", &Scope::last);
    visit("item", &Scope::item);
    visit("iter", &Scope::iter);
    visit("overlay", &Scope::overlay);
    visit("results", &Scope::results);
    visit("last_error", &Scope::last_error);
    visit("frozen", &Scope::frozen);
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
  std::vector<TakenArc> legs = {};
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

struct BufferedSignal {
  std::string id = {};
  std::string name = {};
  EncodedValue payload = {};
  Instant at = {};
  static constexpr void each_field(auto visit) {
    visit("id", &BufferedSignal::id);
    visit("name", &BufferedSignal::name);
    visit("payload", &BufferedSignal::payload);
    visit("at", &BufferedSignal::at);
  }
};

struct OutboxItem {
  MessageId id = {};
  MessageKind kind = MessageKind::start_child;
  RunId run = {};
  std::string to = {};
  Value content = {};
  static constexpr void each_field(auto visit) {
    visit("id", &OutboxItem::id);
    visit("kind", &OutboxItem::kind);
    visit("run", &OutboxItem::run);
    visit("to", &OutboxItem::to);
    visit("content", &OutboxItem::content);
  }
};

struct AcceptedCommand {
  std::string id = {};
  std::uint64_t version = 0;  // that it led to
  static constexpr void each_field(auto visit) {
    visit("id", &AcceptedCommand::id);
    visit("version", &AcceptedCommand::version);
  }
};

enum class Phase : std::uint8_t { none = 0, running = 1, finishing = 2, ended = 3, deleted = 4 };
constexpr bool known(Phase value) {
  switch (value) {
    case Phase::none:
    case Phase::running:
    case Phase::finishing:
    case Phase::ended:
    case Phase::deleted: return true;
  }
  return false;
}

// What most executions never need.
struct Rarely {
  std::optional<Caller> caller = {};
  std::uint32_t depth = 0;
  std::vector<BufferedSignal> signals = {};
  Table<MessageId, OutboxItem> outbox = {};
  std::deque<AcceptedCommand> accepted = {};
  std::shared_ptr<const RunError> failure = {};                // the first that reached the execution
  std::vector<std::shared_ptr<const RunError>> failures = {};  // unhandled ones, the first 1 000
  std::optional<Shared<RunError>> end_error = {};
  std::optional<Termination> termination = {};
  static constexpr void each_field(auto visit) {
    visit("caller", &Rarely::caller);
    visit("depth", &Rarely::depth);
    visit("signals", &Rarely::signals);
    visit("outbox", &Rarely::outbox);
    visit("accepted", &Rarely::accepted);
    visit("failure", &Rarely::failure);
    visit("failures", &Rarely::failures);
    visit("end_error", &Rarely::end_error);
    visit("termination", &Rarely::termination);
  }
};

struct State {
  std::string execution = {};
  std::string playbook = {};
  std::int64_t playbook_version = 0;
  std::uint64_t version = 0;     // of the state: one more with every accepted command
  std::uint64_t yielded_at = 0;  // the version whose decision met its bound
  Phase phase = Phase::none;
  EndStatus end_status = EndStatus::completed;  // finishing and after
  bool suspended = false;
  bool ended_done = false;  // a token outside joined fan-outs ended done, with no follower
  Instant started_at = {};
  std::optional<Instant> deadline = {};
  Value workload = {};
  Value ctx = Value::map({});
  Value reference = {};
  EncodedValue output = {};

  TokenId last_token = {};
  RunId last_run = {};
  ScopeId last_scope = {};
  FanOutId last_fan_out = {};
  MessageId last_message = {};
  std::uint64_t runs_started = 0;
  std::uint64_t runs_ended = 0;
  std::vector<std::uint32_t> run_counts = {};  // by step
  Table<TokenId, Token> tokens = {};
  Table<RunId, Run> runs = {};
  Table<ScopeId, Scope> scopes = {};
  Table<FanOutId, FanOut> fan_outs = {};
  std::uint32_t detached = 0;  // detached branches that are open
  std::unique_ptr<Rarely> rarely = {};

  // Whether the last decision met its bound.
  bool yielded() const { return yielded_at != 0 && yielded_at == version; }

  // Derived.
  std::uint32_t open_work = 0;          // runs that something outside or a timer will move
  std::vector<TokenId> agenda = {};     // a heap: tokens to be looked at, the lowest first; may hold some that are not
  std::vector<FanOutId> can_open = {};  // a heap: fan-outs that may open a branch, the lowest first; some may not
  Timers timers = {};
  Gates gates = {};
  SignalWaits signal_waits = {};
  static constexpr void each_field(auto visit) {
    visit("execution", &State::execution);
    visit("playbook", &State::playbook);
    visit("playbook_version", &State::playbook_version);
    visit("version", &State::version);
    visit("yielded_at", &State::yielded_at);
    visit("phase", &State::phase);
    visit("end_status", &State::end_status);
    visit("suspended", &State::suspended);
    visit("ended_done", &State::ended_done);
    visit("started_at", &State::started_at);
    visit("deadline", &State::deadline);
    visit("workload", &State::workload);
    visit("ctx", &State::ctx);
    visit("reference", &State::reference);
    visit("output", &State::output);
    visit("last_token", &State::last_token);
    visit("last_run", &State::last_run);
    visit("last_scope", &State::last_scope);
    visit("last_fan_out", &State::last_fan_out);
    visit("last_message", &State::last_message);
    visit("runs_started", &State::runs_started);
    visit("runs_ended", &State::runs_ended);
    visit("run_counts", &State::run_counts);
    visit("tokens", &State::tokens);
    visit("runs", &State::runs);
    visit("scopes", &State::scopes);
    visit("fan_outs", &State::fan_outs);
    visit("detached", &State::detached);
    visit("rarely", &State::rarely);
  }
};

}  // namespace stepwell
