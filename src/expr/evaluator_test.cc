#include "stepwell/expr/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/expr/testing/expressions.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {
namespace {

using testing::eval;
using testing::from_json;

struct Case {
  std::string_view expression;
  std::string_view expected;
};

constexpr std::string_view kContext =
    R"({"n": 3, "x": 1.5, "s": "héllo", "t": true, "none": null, "l": [1, 2, 3], "m": {"a": 1, "items": 7},)"
    R"( "order": {"lines": [{"price": 10}, {"price": 5}], "paid": false}})";

class EvaluatorTest : public ::testing::TestWithParam<Case> {};

TEST_P(EvaluatorTest, Gives) {
  EXPECT_EQ(eval(GetParam().expression, kContext), GetParam().expected) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(Numbers, EvaluatorTest,
                         ::testing::Values(Case{"7 // 2 ~ '/' ~ -7 // 2", R"("3/-4")"}, Case{"-7 % 3", "2"},
                                           Case{"7 / 2", "3.5"}, Case{"6 / 2", "3.0"}, Case{"2 ** 3 ** 2", "64"},
                                           Case{"2 ** -1", "0.5"}, Case{"true + 1", "2"}, Case{"1 == 1.0", "true"},
                                           Case{"9007199254740993 == 9007199254740992.0", "false"},
                                           Case{"9223372036854775807 / 3", "3.0744573456182584e+18"},
                                           Case{"-0.0 // 1", "-0.0"}, Case{"-5.5 % 2", "0.5"},
                                           Case{"0.1 + 0.2", "0.30000000000000004"}));

INSTANTIATE_TEST_SUITE_P(Access, EvaluatorTest,
                         ::testing::Values(Case{"order.lines[-1].price", "5"}, Case{"order['lines'][0]['price']", "10"},
                                           Case{"order.lines[n - 2].price", "5"}, Case{"s[1]", R"("é")"},
                                           Case{"s[::-1]", R"("olléh")"}, Case{"l[1:]", "[2,3]"},
                                           Case{"l[5:1:-2]", "[3]"}, Case{"m.items", "7"}, Case{"m.a", "1"},
                                           Case{"[m, n][0].a", "1"}, Case{"l.1", "2"}, Case{"m.get('z', 9)", "9"}));

INSTANTIATE_TEST_SUITE_P(
    Logic, EvaluatorTest,
    ::testing::Values(Case{"1 < n < 5", "true"}, Case{"1 < n < 2", "false"}, Case{"n > 5 < missing", "false"},
                      Case{"0 or 'x'", R"("x")"}, Case{"l and m.a", "1"}, Case{"not l", "false"},
                      Case{"2 in l and 'a' in m and 'll' in s", "true"}, Case{"4 not in l", "true"},
                      Case{"'yes' if order.paid else 'no'", R"("no")"}, Case{"missing is defined", "false"},
                      Case{"m.z is undefined", "true"}, Case{"missing | default('d')", R"("d")"},
                      Case{"m.z | d(1)", "1"}, Case{"'' | default('d')", R"("")"},
                      Case{"'' | default('d', true)", R"("d")"}, Case{"coalesce(m.z, none, n)", "3"},
                      Case{"[] | first is defined", "false"}, Case{"[] | max | default(0)", "0"}));

INSTANTIATE_TEST_SUITE_P(
    Errors, EvaluatorTest,
    ::testing::Values(
        Case{"n == 3, n == 4", "syntax: expected the end, found ',' in 'n == 3, n == 4' at 7"},
        Case{"[] | first + 1", "undefined: the first of []: there is none in '[] | first + 1' at 6"},
        Case{"l + 1", "type: cannot add list and number in 'l + 1' at 3"},
        Case{"missing", "undefined: 'missing' is undefined in 'missing' at 1"},
        Case{"m.b.c", "undefined: 'm.b' is undefined in 'm.b.c' at 3"},
        Case{"l[n + 4] > 1", "undefined: 'l[7]' is undefined in 'l[n + 4] > 1' at 3"},
        Case{"1 if false",
             "undefined: the condition of this 'if' is false and there is no 'else' in '1 if false' at 3"},
        Case{"9223372036854775807 + n",
             "overflow: the result does not fit in 64 bits in '9223372036854775807 + n' at 21"},
        Case{"1 / (n - 3)", "division: division by zero in '1 / (n - 3)' at 3"},
        Case{"s < n", "type: cannot order text and number in 's < n' at 3"},
        Case{"{n: 1}", "type: the keys of a map are text; 3 is not in '{n: 1}' at 1"},
        Case{"10.0 ** 400 + n", "overflow: the result is too large for a number in '10.0 ** 400 + n' at 6"}));

TEST(EvaluatorErrorTest, TheCaretPointsAndTheValuesAreShown) {
  const auto result = testing::run(compile_expression("items + 1"), R"({"items": [1, 2]})");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().describe(),
            "cannot add list and number in 'items + 1' at 7\n"
            "  items + 1\n"
            "        ^\n"
            "  where it was [1,2] + 1");
}

TEST(EvaluatorErrorTest, TheCaretStandsBelowThePlaceOnATerminal) {
  const auto described = [](std::string_view source) {
    return testing::run(compile_template(source), "{}").error().describe();
  };
  EXPECT_THAT(described("\t{{ 'é' ~ x }}"), ::testing::EndsWith("\n  \t{{ 'é' ~ x }}\n  \t         ^"));
  EXPECT_THAT(described("{{ '日本' ~ x }}"), ::testing::EndsWith("\n  {{ '日本' ~ x }}\n              ^"));
  EXPECT_THAT(described("{{ 'e\u0301' ~ x }}"), ::testing::EndsWith("\n           ^"));
  EXPECT_THAT(described("one\n{{ 1 }} {{ x }}\nthree"), ::testing::EndsWith("\n  {{ 1 }} {{ x }}\n             ^"));
}

TEST(EvaluatorErrorTest, OfALongLineThePartAroundThePlaceIsShown) {
  const std::string before(300, 'a'), after(300, 'b'), blank(73, ' ');
  const auto failed = testing::run(compile_template(before + "{{ x }}" + after), "{}");
  const std::string described = failed.error().describe();
  EXPECT_THAT(described, ::testing::HasSubstr("\n  ...aaaa"));
  EXPECT_THAT(described, ::testing::HasSubstr("aaaa{{ x }}bbbb"));
  EXPECT_THAT(described, ::testing::EndsWith("bbbb...\n  " + blank + "^"));
}

TEST(EvaluatorErrorTest, AnUndefinedPathIsReportedAsAPath) {
  const auto missing =
      testing::run(compile_expression("ctx.flags[args.name].on"), R"({"ctx": {"flags": {}}, "args": {"name": "b"}})");
  EXPECT_EQ(missing.error().path, (Path{"ctx", "flags", "b"}));
  const auto gone = testing::run(compile_expression("not ctx.approved"), R"({"ctx": {}})");
  EXPECT_EQ(gone.error().path, (Path{"ctx", "approved"}));
  const auto local = testing::run(compile_expression("([1] | first).x"), "{}");
  EXPECT_EQ(local.error().path, std::nullopt);
}

TEST(EvaluatorInputTest, CanonicalBytesAnswerLikeTheValue) {
  const Value context = from_json(kContext);
  for (const std::string_view source : {"order.lines[-1].price", "s[1]", "order.lines[n - 2]", "m", "m.z",
                                        "order.paid.x", "l[7]", "s[0][0]", "s[0].x", "n < 5 and not order.paid"}) {
    const auto program = compile_expression(source);
    ASSERT_TRUE(program.has_value());
    std::vector<std::string> bytes;
    for (const std::string& root : program->roots) bytes.push_back(encode_cbor(*context.find(root)));
    std::vector<Input> encoded;
    for (const std::string& each : bytes) encoded.emplace_back(EncodedView(each));
    Ambient ambient;
    EXPECT_EQ(testing::answer_of(evaluate(*program, encoded, ambient)),
              testing::answer_of(evaluate(*program, inputs_from(*program, context), ambient)))
        << source;
  }
}

TEST(EvaluatorAmbientTest, RandomValuesComeFromTheStampAndDiffer) {
  const auto program = compile_expression("[uuid(), uuid(), random(), now()]");
  Ambient first{.stamp = {.time = *Instant::from_micros(1'000'000), .entropy = {1, 2, 3}}};
  Ambient again = first;
  const auto one = evaluate(*program, {}, first);
  const auto two = evaluate(*program, {}, again);
  ASSERT_TRUE(one.has_value() && two.has_value());
  EXPECT_EQ(*one, *two);
  EXPECT_FALSE(one->as_list()[0] == one->as_list()[1]);
  EXPECT_EQ(one->as_list()[3], Value("1970-01-01T00:00:01Z"));
}

}  // namespace
}  // namespace stepwell
