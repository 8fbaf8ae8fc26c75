#include "stepwell/base/check.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/encoded.h"

namespace stepwell {
namespace {

// The view must say of every part what the decoded value says.
void check_view(const EncodedView& view, const Value& value) {
  CHECK(view.kind() == value.kind());
  if (value.is_list()) {
    EncodedWalk walk(view);
    for (const Value& item : value.as_list()) check_view(*walk.next_item(), item);
    CHECK(!walk.next_item());
  } else if (value.is_map()) {
    for (const Member& member : value.as_map()) check_view(*view.find(member.key()), member.value);
  } else {
    CHECK(view.decode() == value);
    CHECK(view.bytes() == encode_cbor(value));
  }
}

}  // namespace
}  // namespace stepwell

// Any bytes: refused at a place inside them, or exactly the bytes that the value is written as.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stepwell;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto value = decode_cbor(bytes);
  if (!value) {
    CHECK(value.error().offset <= size);
    return 0;
  }
  CHECK(encode_cbor(*value) == bytes);
  CHECK(EncodedView(bytes).bytes() == bytes);
  check_view(EncodedView(bytes), *value);
  return 0;
}
