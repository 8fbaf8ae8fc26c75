#include "stepwell/expr/tests.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::eval;
using testing::expect_results;

TEST(Tests, KindsOfValues) {
  const std::vector<std::string> values = {"none", "true", "1", "1.0", "'a'", "[]", "{}"};
  const std::vector<std::pair<std::string, std::string>> which = {
      {"none", "1000000"},     {"boolean", "0100000"}, {"integer", "0010000"}, {"float", "0001000"},
      {"number", "0111000"},   {"string", "0000100"},  {"mapping", "0000001"}, {"iterable", "0000111"},
      {"sequence", "0000111"}, {"true", "0100000"},
  };
  for (const auto& [test, answers] : which)
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(eval(values[i] + " is " + test), answers[i] == '1' ? "true" : "false") << values[i] << test;
}

TEST(Tests, NumbersAndOrder) {
  expect_results({
      {"3 is odd and 4 is even and 3.0 is odd and -3 is odd", "true"},
      {"6 is divisibleby(3)", "true"},
      {"6 is divisibleby 0", "division: "},
      {"'a' is odd", "type: "},
      {"1 is eq(1.0) and 1 is equalto 1 and 1 is ne 2", "true"},
      {"1 is lt(2) and 2 is ge(2) and 2 is gt(1) and 2 is le(2)", "true"},
      {"1 is greaterthan 'a'", "type: "},
      {"1 is in([1]) and 'a' is in('cat') and 'k' is in({'k': 1})", "true"},
      {"'a' * 1000000 ~ 'b' in 'a' * 2000000", "false"},
      {"1 is in(5)", "type: "},
  });
}

TEST(Tests, SameAsTellsKindsApart) {
  expect_results({
      {"1 is sameas 1.0", "false"},
      {"true is sameas true", "true"},
      {"1 is sameas true", "false"},
      {"[1] is sameas [1]", "true"},
  });
}

TEST(Tests, CaseAndNames) {
  expect_results({
      {"'abc1' is lower and 'ABC' is upper", "true"},
      {"'123' is lower or '' is upper", "false"},
      {"none is lower", "false"},
      {"'upper' is filter and 'odd' is test", "true"},
      {"'nope' is filter or 5 is test", "false"},
      {"[] is filter", "type: "},
      {"1 is nope", "syntax: unknown test 'nope'"},
  });
}

}  // namespace
}  // namespace stepwell
