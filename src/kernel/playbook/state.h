#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/base/few.h"
#include "stepwell/base/instant.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/limits.h"
#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/gates.h"
#include "stepwell/kernel/playbook/run.h"
#include "stepwell/kernel/playbook/scope.h"
#include "stepwell/kernel/playbook/signal_waits.h"
#include "stepwell/kernel/playbook/timers.h"
#include "stepwell/kernel/playbook/token.h"
#include "stepwell/kernel/rare.h"
#include "stepwell/kernel/table.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

// One execution as it stands. Only `apply` writes it. What is marked derived can be computed from the rest, is not part
// of a snapshot, and is checked by check_invariants.
namespace stepwell {

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

// Derived. What only executions have that fan out, wait for time or for signals, or gate tokens.
struct Watched {
  Few<FanOutId> can_open = {};  // a heap: fan-outs that may open a branch, the lowest first; some may not
  Timers timers = {};
  Gates gates = {};
  SignalWaits signal_waits = {};
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
  Rare<Table<FanOutId, FanOut>> fan_outs = {};
  std::uint32_t detached = 0;  // detached branches that are open
  std::unique_ptr<Rarely> rarely = {};

  // Whether the last decision met its bound.
  bool yielded() const { return yielded_at != 0 && yielded_at == version; }

  // Derived.
  std::uint32_t open_work = 0;  // runs that something outside or a timer will move
  Few<TokenId> agenda = {};     // a heap: tokens to be looked at, the lowest first; may hold some that are not
  Rare<Watched> watched = {};
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
