#include "stepwell/kernel/playbook/codec.h"

#include "stepwell/kernel/codec.h"
#include "stepwell/kernel/playbook/derive.h"
#include "stepwell/kernel/playbook/misfit.h"

namespace stepwell {

namespace {

template <typename T>
std::expected<T, std::string> decode(std::string_view bytes) {
  T value;
  Decoder decoder(bytes);
  decoder.read(value);
  decoder.finish();
  if (decoder.error()) return std::unexpected(*decoder.error());
  return value;
}

}  // namespace

void append_event(std::string& out, const Event& event) { Encoder(out).write(event); }

void append_events(std::string& out, std::span<const Event> events) {
  Encoder encoder(out);
  for (const Event& event : events) encoder.write(event);
}

std::expected<Event, std::string> decode_event(std::string_view bytes) { return decode<Event>(bytes); }

void append_command(std::string& out, const Command& command) { Encoder(out).write(command); }

std::expected<Command, std::string> decode_command(std::string_view bytes) { return decode<Command>(bytes); }

std::string encode_state(const State& state) {
  std::string out;
  Encoder(out).write(state);
  return out;
}

std::expected<State, std::string> decode_state(const Definition& definition, std::string_view bytes) {
  auto state = decode<State>(bytes);
  if (!state) return state;
  if (auto problem = misfit(definition, *state)) return std::unexpected(std::move(*problem));
  derive_all(definition, *state);
  return state;
}

}  // namespace stepwell
