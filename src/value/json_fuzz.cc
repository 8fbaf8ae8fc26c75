#include "stepwell/base/check.h"
#include "stepwell/base/utf8.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

// Any bytes: refused at a place inside them, or read, written and read again as the same value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stepwell;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_json(text);
  if (!value) {
    CHECK(value.error().offset <= size);
    CHECK(!value.error().message.empty());
    return 0;
  }
  const std::string compact = to_json(*value);
  CHECK(utf8::is_valid(compact));
  CHECK(*parse_json(compact) == *value);
  CHECK(*parse_json(to_json_pretty(*value)) == *value);
  return 0;
}
