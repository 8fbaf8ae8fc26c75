#include <algorithm>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/decider.h"
#include "stepwell/kernel/playbook/violation_text.h"

namespace stepwell {

namespace {

Value signal_value(std::string_view id, std::string_view name, const EncodedValue& payload, Instant at) {
  return Value::map({{"id", Value(id)}, {"name", Value(name)}, {"payload", payload.decode()}, {"at", Value(at.str())}});
}

}  // namespace

// Whether a wait takes a signal, or why its `match` could not be asked.
std::expected<bool, std::string> Decider::matches(const Run& run, const Value& signal) {
  const Wait& wait = *step_of(run.step).wait;
  if (!wait.match) return true;
  Scene scene = scene_of(state_.tokens.at(run.token));
  scene.run = &run;
  scene.signal = &signal;
  const auto answer = ask(scene, *wait.match, ambient_);
  if (!answer) return std::unexpected(answer.error()->error.message);
  return *answer;
}

// Takes the oldest signal of the buffer that fits, or waits.
void Decider::begin_signal_wait(RunId id) {
  const std::string& name = step_of(state_.runs.at(id).step).wait->signal;
  const std::size_t buffered = state_.rarely == nullptr ? 0 : state_.rarely->signals.size();
  for (std::size_t i = 0; i < buffered; ++i) {
    const BufferedSignal signal = state_.rarely->signals[i];
    if (signal.name != name) continue;
    const auto fits = matches(state_.runs.at(id), signal_value(signal.id, signal.name, signal.payload, signal.at));
    if (!fits) out_.emit(SignalMismatched{.id = signal.id, .run = id, .message = fits.error()});
    if (!fits.value_or(false)) continue;
    out_.emit(SignalTaken{.id = signal.id, .run = id});
    return end_done(id, signal.payload, {});
  }
  out_.emit(SignalAwaited{id});
}

std::optional<Refusal> Decider::refuse_signal(const Signal& command) const {
  const auto waits = [&](const Step& step) { return step.wait && step.wait->signal == command.name; };
  const auto wait = std::ranges::find_if(definition_.steps, waits);
  if (wait == definition_.steps.end()) {
    return Refusal{RefusalCode::not_found,
                   fmt::format("no step of '{}' waits for a signal '{}'", state_.playbook, command.name)};
  }
  // All waits for one name agree on the schema.
  const std::optional<Schema>& schema = wait->wait->schema;
  const Value payload = schema ? command.payload.decode() : Value();
  if (!schema || schema->accepts(payload)) return std::nullopt;
  return Refusal{RefusalCode::invalid, fmt::format("the payload of '{}' does not fit its schema: {}", command.name,
                                                   violation_text(*schema, payload))};
}

Refused Decider::operator()(const Signal& command) {
  if (auto refused = refuse_signal(command)) return refused;
  const std::string id = command_id_.empty() ? fmt::format("signal-{}", state_.version + 1) : std::string(command_id_);
  const Value signal = signal_value(id, command.name, command.payload, now_);
  RunId taker;
  std::vector<SignalMismatched> mismatches;
  for (const auto& [token, run] : state_.watched->signal_waits.of(command.name)) {
    const auto fits = matches(state_.runs.at(run), signal);
    if (!fits) mismatches.push_back({.id = id, .run = run, .message = fits.error()});
    if (!fits.value_or(false)) continue;
    taker = run;
    break;
  }
  const auto same_name = [&](const BufferedSignal& buffered) { return buffered.name == command.name; };
  if (!taker && state_.rarely != nullptr &&
      static_cast<std::size_t>(std::ranges::count_if(state_.rarely->signals, same_name)) >= limits::kBufferedSignals) {
    return Refusal{RefusalCode::not_allowed, fmt::format("{} signals '{}' are waiting to be taken already",
                                                         limits::kBufferedSignals, command.name)};
  }
  out_.emit(SignalReceived{.id = id, .name = command.name, .payload = command.payload, .at = now_});
  for (SignalMismatched& mismatch : mismatches) out_.emit(std::move(mismatch));
  if (!taker) return std::nullopt;
  out_.emit(SignalTaken{.id = id, .run = taker});
  end_done(taker, command.payload, {});
  return std::nullopt;
}

}  // namespace stepwell
