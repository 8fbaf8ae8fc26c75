#include "stepwell/expr/functions.h"

#include <algorithm>

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::eval;
using testing::expect_results;

TEST(Functions, Range) {
  expect_results({
      {"range(3)", "[0,1,2]"},
      {"range(1, 4)", "[1,2,3]"},
      {"range(5, 0, -2)", "[5,3,1]"},
      {"range(0)", "[]"},
      {"range(true)", "[0]"},
      {"range(-9223372036854775807, 9223372036854775807, 9223372036854775807)", "[-9223372036854775807,0]"},
      {"range(1, 2, 0)", "value: the step of range must not be 0"},
      {"range(1.0)", "type: "},
      {"range()", "type: function 'range' takes stop"},
      {"range(9223372036854775807)", "fuel: "},
  });
}

TEST(Functions, Dict) {
  expect_results({
      {"dict(b=1, a=2)", R"({"a":2,"b":1})"},
      {"dict({'a': 1}, a=2)", R"({"a":2})"},
      {"dict([['a', 1], 'bc'])", R"({"a":1,"b":"c"})"},
      {"dict([[1, 2]])", "type: a key must be text, not number 1"},
      {"dict([[1]])", "type: an item of dict must be a pair of key and value, not list [1]"},
      {"dict(5)", "type: "},
  });
}

TEST(Functions, TheStampAnswers) {
  EXPECT_EQ(eval("now()"), "\"1970-01-01T00:00:00Z\"");
  EXPECT_EQ(eval("uuid() == uuid()"), "false");
  EXPECT_EQ(eval("uuid()"), eval("uuid()"));
  EXPECT_EQ(eval("0 <= random() < 1"), "true");
  EXPECT_EQ(eval("random() == random()"), "false");
}

TEST(Functions, TablesAreInOrderAndNamesAreFound) {
  for (const auto table : {all_filters(), all_tests(), all_functions(), all_methods()})
    EXPECT_TRUE(std::ranges::is_sorted(table, {}, &Builtin::name));
  EXPECT_NE(find_filter("xmlattr"), nullptr);
  EXPECT_EQ(find_filter("xmlattrs"), nullptr);
  EXPECT_NE(find_test("!="), nullptr);
  EXPECT_NE(find_method("values"), nullptr);
  EXPECT_FALSE(find_function("now")->pure);
}

}  // namespace
}  // namespace stepwell
