#include "stepwell/expr/filters_data.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::expect_results;

TEST(FiltersData, FallBacks) {
  expect_results({
      {"none | coalesce(none, 3, 4)", "3"},
      {"coalesce(missing, none)", "null"},
      {"0 | coalesce(1)", "0"},
      {"missing | default", "\"\""},
      {"0 | default(5, true)", "5"},
      {"0 | d(5)", "0"},
  });
}

TEST(FiltersData, PuttingTogether) {
  expect_results({
      {"[1] | concat([2], [3, 4])", "[1,2,3,4]"},
      {"concat('a', 1, none)", "\"a1None\""},
      {"[1] | concat('a')", "type: what is added to a list must be a list, not text \"a\""},
      {"'a' | concat([1])", "type: "},
      {"{'a': {'x': 1, 'l': [1]}} | merge({'a': {'y': 2, 'l': [2]}}, {'b': 1})",
       R"({"a":{"l":[2],"x":1,"y":2},"b":1})"},
      {"{} | merge([1])", "type: what is merged must be a map, not list [1]"},
      {"{} | merge(a=1)", "type: 'merge' has no argument 'a'; it takes values only"},
  });
}

TEST(FiltersData, OtherFormsOfTheSameBytes) {
  expect_results({
      {"'héllo' | b64encode | b64decode", "\"héllo\""},
      {"'YQ' | b64decode", "value: \"YQ\" is not base 64"},
      {"'/w==' | b64decode", "value: the bytes of \"/w==\" are not UTF-8 text"},
      {"'abc' | sha256", "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\""},
      {"{'b': 1.0, 'a': '<é>'} | tojson", R"("{\"a\":\"<é>\",\"b\":1.0}")"},
      {"{'a': [1]} | tojson(4)", R"("{\n    \"a\": [\n        1\n    ]\n}")"},
      {"'[1, 2.0]' | fromjson", "[1,2.0]"},
      {"'[1' | fromjson", "value: \"[1\" is not JSON: line 1"},
  });
}

TEST(FiltersData, RegularExpressions) {
  expect_results({
      {"'order-17' | regex_match('[0-9]+')", "true"},
      {"'order-17' | regex_match('^[0-9]+')", "false"},
      {"'John Smith' | regex_replace('(\\\\w+) (\\\\w+)', '\\\\2, \\\\1')", "\"Smith, John\""},
      {"'abc' | regex_replace('x*', '-')", "\"-a-b-c-\""},
      {"'日本' | regex_replace('', '.')", "\".日.本.\""},
      {"'a' | regex_match('(')", "value: \"(\" is not a pattern: "},
      {"'a' | regex_replace('a', '\\\\1')", "value: "},
      {"'a' | regex_match('a' * 3000)", "size: "},
      {"('a' * 80000) | regex_replace('a(.*b)?', 'x')", "fuel: "},
  });
}

TEST(FiltersData, AValueThatSharesItsPartsIsPaidForAsOftenAsItIsWritten) {
  Value doubled = 1;
  for (int i = 0; i < 60; ++i) doubled = Value::list({doubled, doubled});
  Budget budget({});
  Ambient ambient;
  const auto json = call_builtin(*find_filter("tojson"), std::vector{doubled}, {}, budget, ambient);
  EXPECT_EQ(json.error().code, FaultCode::fuel);
}

}  // namespace
}  // namespace stepwell
