#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/base/limits.h"
#include "stepwell/expr/testing/expressions.h"
#include "stepwell/value/cbor_write.h"

// Sources and values that are made to hurt. What takes the square of its size would not end within the suite's time.
namespace stepwell {
namespace {

using testing::eval;
using testing::render;

// As many copies of a piece as fit; {0} in it is the number of the copy.
std::string many(std::string_view piece, std::size_t bytes = limits::kExprSourceBytes) {
  std::string source;
  for (std::size_t i = 0; source.size() + piece.size() + 100 < bytes; ++i) {
    source += fmt::format(fmt::runtime(piece), i);
  }
  return source;
}

Value from_pairs(int count) {
  std::vector<Member> members;
  for (int i = 0; i < count; ++i) members.push_back({fmt::format("k{}", i), i});
  return Value::map(std::move(members));
}

TEST(HostileSource, LongSourcesAreCompiledInTimeThatGrowsWithTheirLength) {
  EXPECT_TRUE(compile_expression("[" + many("{0},") + "]")) << "constants";
  EXPECT_TRUE(compile_expression("[" + many("1+{0},") + "]")) << "constants that are folded";
  EXPECT_TRUE(compile_expression("[" + many("a{0},") + "]")) << "names";
  EXPECT_TRUE(compile_expression("dict(" + many("a{0}=b,") + ")")) << "named arguments";
  EXPECT_TRUE(compile_template(many("{{% set a{0} = 1 %}}"))) << "variables";
}

// Evaluates within the usual fuel, though each round of the loop handles the same long value.
std::string looped(std::string_view part, std::string_view context = "{}") {
  return render(fmt::format("{{% for i in range(300000) %}}{}{{% endfor %}}", part), context).substr(0, 5);
}

TEST(HostileValue, WhatTakesTimeInProportionToAValueIsPaidForInThatProportion) {
  const std::string list = to_json(Value::list(std::vector<Value>(20'000, Value(1))));
  const std::string two_lists = fmt::format(R"({{"a": {0}, "b": {0}}})", list);
  EXPECT_EQ(looped("{% if a == b %}{% endif %}", two_lists), "fuel:");
  EXPECT_EQ(looped("{% if a < b %}{% endif %}", two_lists), "fuel:");

  const std::string text = fmt::format(R"({{"x": "{}", "m": {{}}}})", std::string(1'000'000, 'x'));
  EXPECT_EQ(looped("{{ x | int }}", text), "fuel:");
  EXPECT_EQ(looped("{{ 'a' | trim(x) }}", text), "fuel:");
  EXPECT_EQ(looped("{{ ['a'] | map('trim', x) | length }}", text), "fuel:");
  EXPECT_EQ(looped("{{ [] | sum(attribute=x) }}", text), "fuel:");
  EXPECT_EQ(looped("{{ x in m }}", text), "fuel:");
  EXPECT_EQ(looped("{{ m[x] is defined }}", text), "fuel:");
  EXPECT_EQ(eval("(['x' * 1000000] * 400000) | unique(true) | length").substr(0, 5), "fuel:");

  const std::string map = to_json(from_pairs(20'000));
  EXPECT_EQ(eval("merge(m, " + many("{{'a': 1}},") + ")", fmt::format(R"({{"m": {}}})", map)).substr(0, 5), "fuel:");
  EXPECT_EQ(looped("{% if false %}" + many("{{% set a{0} = 1 %}}", 500'000) + "{% endif %}"), "fuel:");
}

TEST(HostileValue, WalkingOverBytesIsPaidForToo) {
  const auto program =
      compile_template("{% for i in range(300000) %}{{ list[9999] }}{{ list.x is defined }}{% endfor %}");
  const std::string bytes = encode_cbor(Value::list(std::vector<Value>(10'000, Value("some text"))));
  const std::vector<Input> inputs = {EncodedView(bytes)};
  Ambient ambient;
  EXPECT_EQ(testing::answer_of(evaluate(*program, inputs, ambient)).substr(0, 5), "fuel:");
}

TEST(HostileValue, IndentsAreCountedBeforeTheyAreMade) {
  EXPECT_EQ(eval("range(100000) | tojson(indent='x' * 1000000)").substr(0, 5), "size:");
  EXPECT_EQ(eval("[1, {'a': []}] | tojson(indent='ab')", "{}", {.fuel = 100, .text_bytes = 30}),
            R"("[\nab1,\nab{\nabab\"a\": []\nab}\n]")");
}

TEST(HostileValue, WhatHoldsItselfManyTimesOverIsNeitherShownNorGivenOut) {
  std::string source = "{% set a = [1] %}";
  for (int i = 0; i < 100; ++i) source += "{% set a = [a, a] %}";
  EXPECT_EQ(render(source + "{{ a + 1 }}").substr(0, 32), "type: cannot add list and number");
  EXPECT_EQ(eval("x + 1", R"({"x": [[1, 2], "abc"]})"), "type: cannot add list and number in 'x + 1' at 3");
  const auto huge = testing::run(compile_expression("[[[[[1] * 1000] * 1000] * 1000] * 1000]"), "{}");
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().summary().substr(0, 37), "the result is larger than 67108864 by");
}

TEST(HostileValue, ALongTextOfManyPiecesCostsWhatItsLengthCosts) {
  const std::string source = "{% for i in range(50000) %}some words in every line\n{% endfor %}";
  EXPECT_EQ(render(source).size(), 50'000 * std::string_view("some words in every line\\n").size() + 2);
}

}  // namespace
}  // namespace stepwell
