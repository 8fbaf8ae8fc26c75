#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stepwell/compile/load.h"
#include "stepwell/compile/testing/arbitrary_playbook.h"
#include "stepwell/compile/testing/rephrase.h"
#include "stepwell/compile/testing/yaml_printer.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"

namespace stepwell {
namespace {

Document load(const std::string& text) {
  Diagnostics diagnostics("f");
  auto loaded = load_playbook(text, "playbook", diagnostics);
  RC_LOG() << text << "\n" << diagnostics.to_string();
  if (!loaded) RC_FAIL("a playbook without mistakes is refused");
  return *std::move(loaded);
}

struct ARandomPlaybook {
  testing::Dice dice;
  Value document;
};

ARandomPlaybook random_playbook() {
  testing::Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  Value document = testing::arbitrary_playbook(dice, *rc::gen::inRange<std::size_t>(1, 12));
  return {dice, std::move(document)};
}

RC_GTEST_PROP(LoadProperty, WordsAndStyleLeaveNoTrace, ()) {
  auto [dice, document] = random_playbook();
  const Document plain = load(to_json(document));
  const Value rephrased = testing::Rephrase(dice).playbook(document);
  const Document other = load(testing::YamlPrinter(dice).document(rephrased));
  RC_ASSERT(other.definition == plain.definition);
  RC_ASSERT(other.hash == plain.hash);
}

RC_GTEST_PROP(LoadProperty, ADefinitionSurvivesItsBytesAndItsText, ()) {
  const Document loaded = load(to_json(random_playbook().document));
  const std::string bytes = encode_cbor(loaded.definition);
  RC_ASSERT(decode_cbor(bytes).value() == loaded.definition);
  RC_ASSERT(parse_json(to_json(loaded.definition)).value() == loaded.definition);
  RC_ASSERT(sha256(bytes) == loaded.hash);
}

RC_GTEST_PROP(LoadProperty, TheModelReadsWhateverTheLoaderMakes, ()) {
  const auto [dice, document] = random_playbook();
  const Document loaded = load(to_json(document));
  const auto definition = read_definition(loaded.definition);
  RC_LOG() << (definition ? "" : definition.error());
  RC_ASSERT(definition.has_value());
  RC_ASSERT(definition->hash == loaded.hash);
  RC_ASSERT(definition->canonical == loaded.definition);
}

}  // namespace
}  // namespace stepwell
