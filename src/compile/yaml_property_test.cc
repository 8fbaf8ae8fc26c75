#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stepwell/compile/testing/yaml_printer.h"
#include "stepwell/compile/testing/yaml_text.h"
#include "stepwell/value/testing/arbitrary_value.h"

namespace stepwell {
namespace {

Value read_back(const std::string& text) {
  RC_LOG() << text;
  return testing::tree_of(text).to_value();
}

RC_GTEST_PROP(YamlProperty, AnyValueAsJsonReadsBackAsItself, (const Value& value)) {
  RC_ASSERT(read_back(to_json(value)) == value);
  RC_ASSERT(read_back(to_json_pretty(value)) == value);
}

// A block map is no JSON, so this goes by way of the YAML parser.
RC_GTEST_PROP(YamlProperty, AnyValueInABlockReadsBackAsItself, (const Value& value)) {
  RC_ASSERT(read_back("a: " + to_json(value)) == Value::map({{"a", value}}));
}

RC_GTEST_PROP(YamlProperty, AnyValueInAnyStyleReadsBackAsItself, (const Value& value, std::uint64_t seed)) {
  testing::Dice dice(seed);
  RC_ASSERT(read_back(testing::YamlPrinter(dice).document(value)) == value);
}

}  // namespace
}  // namespace stepwell
