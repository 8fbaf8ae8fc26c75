#include <cstdint>

#include "stepwell/base/check.h"
#include "stepwell/base/utf8.h"
#include "stepwell/compile/testing/fuzz.h"
#include "stepwell/compile/yaml_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

void check_tree(const Yaml& node, const testing::TextBounds& bounds) {
  bounds.check(node.mark);
  CHECK(node.is_list() || node.items.empty());
  CHECK(node.is_map() || node.members.empty());
  if (node.is_text()) {
    CHECK(utf8::is_valid(node.text()));
    bounds.check(node.mark_at(node.text().size()));
  }
  for (const Yaml& item : node.items) check_tree(item, bounds);
  for (const YamlMember& member : node.members) {
    CHECK(utf8::is_valid(member.key));
    bounds.check(member.key_mark);
    check_tree(member.value, bounds);
  }
}

}  // namespace
}  // namespace stepwell

// Any bytes: refused at a place inside them, or read as a tree whose places are inside them and whose value, written as
// JSON, reads back as the same value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stepwell;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const testing::TextBounds bounds(text);
  Diagnostics found("f");
  const auto tree = read_yaml(text, found);
  bounds.check(found);
  CHECK(tree || found.has_errors());
  if (!tree) return 0;
  check_tree(*tree, bounds);
  const Value value = tree->to_value();
  Diagnostics none("f");
  const auto again = read_yaml(to_json(value), none);
  CHECK(again && none.empty() && again->to_value() == value);
  return 0;
}
