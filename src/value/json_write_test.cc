#include "stepwell/value/json_write.h"

#include <limits>

#include <gtest/gtest.h>

#include "stepwell/value/number_text.h"

namespace stepwell {
namespace {

std::string text_of(double real) {
  std::string out;
  append_real(out, real);
  return out;
}

// Every expectation is what Python's repr prints.
TEST(NumberTextTest, RealsLookAsInPython) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {100.0, "100.0"},
      {123456.789, "123456.789"},
      {0.0001, "0.0001"},
      {0.00012345, "0.00012345"},
      {0.00001, "1e-05"},
      {0.000012345, "1.2345e-05"},
      {1e15, "1000000000000000.0"},
      {9007199254740993.0, "9007199254740992.0"},
      {9999999999999998.0, "9999999999999998.0"},
      {1e16, "1e+16"},
      {1.2345678901234568e17, "1.2345678901234568e+17"},
      {1e22, "1e+22"},
      {1e23, "1e+23"},
      {1e100, "1e+100"},
      {1e-100, "1e-100"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
  };
  for (const auto& [real, text] : cases) EXPECT_EQ(text_of(real), text);
}

TEST(NumberTextTest, OnlyFiniteNumbersHaveAText) {
  EXPECT_DEATH(text_of(std::numeric_limits<double>::infinity()), "bug in stepwell");
}

TEST(JsonWriteTest, CompactHasNoSpace) {
  const Value value = Value::map({{"list", Value::list({1, 2.0, nullptr, true, false})}, {"a", Value::map({})}});
  EXPECT_EQ(to_json(value), R"({"a":{},"list":[1,2.0,null,true,false]})");
}

TEST(JsonWriteTest, PrettyHasOneItemPerLine) {
  const Value value = Value::map(
      {{"list", Value::list({1, Value::map({{"b", "c"}})})}, {"none", Value::list({})}, {"empty", Value::map({})}});
  EXPECT_EQ(to_json_pretty(value), R"({
  "list": [
    1,
    {
      "b": "c"
    }
  ],
  "none": [],
  "empty": {}
})");
  EXPECT_EQ(to_json_pretty(1), "1");
}

TEST(JsonWriteTest, EscapesOnlyWhatJsonDemands) {
  EXPECT_EQ(to_json("\" \\ / \b\f\n\r\t"), R"("\" \\ / \b\f\n\r\t")");
  EXPECT_EQ(to_json(std::string_view("\0\x01\x10\x1f\x7f", 5)), "\"\\u0000\\u0001\\u0010\\u001f\x7f\"");
  EXPECT_EQ(to_json("é € 😀 <>&'"), "\"é € 😀 <>&'\"");
}

TEST(JsonWriteTest, AppendsToWhatIsThere) {
  std::string out = "x=";
  append_json(out, Value::list({1}));
  EXPECT_EQ(out, "x=[1]");
}

}  // namespace
}  // namespace stepwell
