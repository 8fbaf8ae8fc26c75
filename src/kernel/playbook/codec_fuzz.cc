#include <cstdint>
#include <string>
#include <string_view>

#include "stepwell/base/check.h"
#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/kernel/testing/sample.h"

// Any bytes as an event, a command or a snapshot (the first byte says which): refused, or exactly the bytes that it is
// written as. A snapshot that is accepted fits the definition: what waits in it can be told, and woken.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stepwell;
  static const Definition definition = testing::sample_definition();
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string again;
  if (data[0] == 'e') {
    const auto event = decode_event(bytes);
    if (!event) return 0;
    append_event(again, *event);
  } else if (data[0] == 'c') {
    const auto command = decode_command(bytes);
    if (!command) return 0;
    append_command(again, *command);
  } else {
    const auto state = decode_state(definition, bytes);
    if (!state) return 0;
    again = encode_state(*state);
    open_effects(*state);
  }
  CHECK(again == bytes);
  return 0;
}
