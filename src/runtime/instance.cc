#include "stepwell/runtime/instance.h"

#include <functional>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/apply.h"
#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/kernel/playbook/misfit.h"
#include "stepwell/kernel/playbook/outbox.h"
#include "stepwell/runtime/record_body.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

namespace {

// What an execution waits for, the most telling first.
enum class WaitKind : std::uint8_t { attempt, task, signal, child, timer, retry, blob, failure, none };

std::string_view wait_word(WaitKind kind) {
  switch (kind) {
    case WaitKind::attempt: return "";
    case WaitKind::task: return "task";
    case WaitKind::signal: return "signal";
    case WaitKind::child: return "child";
    case WaitKind::timer: return "timer";
    case WaitKind::retry: return "retry";
    case WaitKind::blob: return "blob";
    case WaitKind::failure: return "operator";
    case WaitKind::none: return "gate";
  }
  return "";
}

WaitKind wait_of(const OpenWork& work) {
  if (std::holds_alternative<OpenAttempt>(work)) return WaitKind::attempt;
  if (std::holds_alternative<OpenTask>(work)) return WaitKind::task;
  if (std::holds_alternative<OpenSignal>(work)) return WaitKind::signal;
  if (std::holds_alternative<OpenCall>(work)) return WaitKind::child;
  if (std::holds_alternative<OpenTimer>(work)) return WaitKind::timer;
  if (std::holds_alternative<OpenBackoff>(work)) return WaitKind::retry;
  if (std::holds_alternative<OpenBlobs>(work)) return WaitKind::blob;
  if (std::holds_alternative<ParkedFailure>(work)) return WaitKind::failure;
  return WaitKind::none;
}

WaitKind wait_of(const State& state) {
  WaitKind found = WaitKind::none;
  state.runs.each([&](const Run& run) { found = std::min(found, wait_of(run.work)); });
  return found;
}

std::string error_text(const State& state) {
  if (state.rarely == nullptr) return {};
  if (state.rarely->end_error) return to_json((*state.rarely->end_error)->to_value());
  return state.rarely->failure == nullptr ? std::string() : to_json(state.rarely->failure->to_value());
}

}  // namespace

bool is_over(const Instance& instance) {
  const State& state = instance.state;
  return state.phase >= Phase::ended && (state.rarely == nullptr || state.rarely->outbox.empty());
}

bool is_awake(const State& state) {
  if (state.yielded() || (state.rarely != nullptr && !state.rarely->outbox.empty())) return true;
  bool awake = false;
  state.runs.each([&](const Run& run) {
    awake = awake || std::holds_alternative<OpenAttempt>(run.work) || std::holds_alternative<OpenBlobs>(run.work);
  });
  return awake;
}

std::optional<Instant> next_wake(const State& state) {
  const Timer* next = state.watched->timers.earliest_if([&](const Timer& timer) { return stands(state, timer); });
  return next == nullptr ? std::nullopt : std::optional(next->at);
}

ExecutionRow row_of(const Instance& instance, std::uint32_t shard) {
  const State& state = instance.state;
  const Definition& definition = instance.playbook->definition;
  const Value* labels = definition.canonical.find("labels");
  ExecutionRow row{.id = state.execution,
                   .shard = shard,
                   .playbook = definition.name,
                   .playbook_version = instance.playbook->version,
                   .definition_hash = definition.hash.to_hex(),
                   .reference = state.reference.is_null()   ? std::string()
                                : state.reference.is_text() ? std::string(state.reference.as_text())
                                                            : to_json(state.reference),
                   .parent = state.rarely != nullptr && state.rarely->caller ? state.rarely->caller->execution : "",
                   .awake = is_awake(state),
                   .error = error_text(state),
                   .labels = labels == nullptr ? std::string() : to_json(*labels),
                   .started_at = state.started_at,
                   .version = state.version};
  if (state.phase >= Phase::ended) {
    row.status = status_word(state.end_status);
    row.ended_at = instance.last_time;
    return row;
  }
  const WaitKind wait = wait_of(state);
  row.status = state.suspended ? "suspended" : wait == WaitKind::attempt || state.yielded() ? "running" : "waiting";
  if (row.status != "running") row.wait = wait_word(wait);
  // One that is awake is loaded by every restart, so its next timer need not be known to the store.
  if (!row.awake) row.wake_at = instance.wake_at;
  return row;
}

std::uint64_t hash_of(const ExecutionRow& row) {
  // The version alone changes with every command; a row is written for what people and restarts look for.
  const std::string text = fmt::format("{}|{}|{}|{}|{}|{}", row.status, row.wait, row.awake, row.reference, row.error,
                                       row.wake_at ? row.wake_at->micros() : 0);
  return std::hash<std::string>()(text) | 1U;
}

SnapshotRow snapshot_of(const Instance& instance) {
  return {.instance = instance.state.execution,
          .version = instance.state.version,
          .bytes = std::string(instance.chain.data(), instance.chain.size()) + encode_state(instance.state)};
}

bool wants_snapshot(const Instance& instance) {
  return !instance.snapshot_due && instance.events >= instance.playbook->definition.policy.snapshot_every_events &&
         instance.record_bytes >= instance.snapshot_bytes;
}

std::expected<void, std::string> restore(Instance& instance, const SnapshotRow& snapshot) {
  if (snapshot.bytes.size() < instance.chain.size()) return std::unexpected("the snapshot is cut off");
  const std::string_view bytes = snapshot.bytes;
  auto state = decode_state(instance.playbook->definition, bytes.substr(instance.chain.size()));
  if (!state) return std::unexpected(fmt::format("the snapshot cannot be read: {}", state.error()));
  if (state->execution != snapshot.instance || state->version != snapshot.version) {
    return std::unexpected("the snapshot is of another state");
  }
  instance.state = std::move(*state);
  bytes.copy(instance.chain.data(), instance.chain.size());
  instance.saved_version = snapshot.version;
  instance.snapshot_bytes = snapshot.bytes.size();
  return {};
}

std::expected<void, std::string> replay(Instance& instance, const Record& record, const RecordHash& hash,
                                        const BeforeEvent& before) {
  if (record.version <= instance.state.version) return {};
  if (record.version != instance.state.version + 1) {
    return std::unexpected(fmt::format("version {} follows version {}", record.version, instance.state.version));
  }
  if (record.previous != instance.chain) {
    return std::unexpected(fmt::format("version {} does not follow the one before it", record.version));
  }
  const auto parts = split_body(record.body);
  if (!parts) return std::unexpected(fmt::format("version {}: {}", record.version, parts.error()));
  const auto events = decode_events(*parts);
  if (!events) return std::unexpected(fmt::format("version {}: {}", record.version, events.error()));
  instance.last_time = parts->stamp.time;
  const Definition& definition = instance.playbook->definition;
  for (const Event& event : *events) {
    if (auto problem = misfit(definition, instance.state, event)) {
      return std::unexpected(fmt::format("version {}: {}", record.version, *problem));
    }
    if (before) before(event);
    apply(definition, instance.state, event);
  }
  end_commit(instance.state);
  instance.chain = hash;
  instance.events += static_cast<std::int64_t>(events->size());
  instance.record_bytes += record.body.size();
  return {};
}

}  // namespace stepwell
