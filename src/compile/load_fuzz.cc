#include <cstdint>

#include "stepwell/base/check.h"
#include "stepwell/compile/load.h"
#include "stepwell/compile/testing/fuzz.h"
#include "stepwell/compile/yaml_read.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

void check_definition(const Document& loaded) {
  const std::string bytes = encode_cbor(loaded.definition);
  CHECK(sha256(bytes) == loaded.hash);
  const auto decoded = decode_cbor(bytes);
  CHECK(decoded && *decoded == loaded.definition);
  const auto definition = read_definition(*decoded);
  CHECK(definition && definition->hash == loaded.hash && definition->name == loaded.name);
}

// The same document as JSON, with its keys in another order and without aliases, means the same.
void check_as_json(std::string_view text, const Document& loaded) {
  Diagnostics none("f");
  const auto tree = read_yaml(text, none);
  // An exported definition is JSON already, and may be more than the YAML reader takes.
  if (!tree || tree->find("format") != nullptr) return;
  const auto again = load_playbook(to_json(tree->to_value()), "playbook", none);
  CHECK(again && again->hash == loaded.hash && again->version == loaded.version);
}

}  // namespace
}  // namespace stepwell

// Any bytes: refused at places inside them, or a playbook whose definition can be read, stored and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stepwell;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics found("f");
  const auto loaded = load_playbook(text, "playbook", found);
  testing::TextBounds(text).check(found);
  CHECK(loaded.has_value() != found.has_errors());
  if (!loaded) return 0;
  check_definition(*loaded);
  check_as_json(text, *loaded);
  return 0;
}
