#include "stepwell/expr/filters_list.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::eval;
using testing::expect_results;

TEST(FiltersList, BatchAndSliceCutAListInTwoWays) {
  expect_results({
      {"[1, 2, 3] | batch(2)", "[[1,2],[3]]"},
      {"[1, 2, 3] | batch(2, 0)", "[[1,2],[3,0]]"},
      {"[1, 2] | batch(0)", "[[],[1,2]]"},
      {"[1, 2] | batch(-1, 'x')", "[[1,2]]"},
      {"[] | batch(3, 'x')", "[]"},
      {"'abc' | batch(linecount=2, fill_with='-')", R"([["a","b"],["c","-"]])"},
      {"[1] | batch('2')", "type: linecount must be a whole number, not text \"2\""},
      {"[1] | batch(900000000, 0)", "fuel: "},
      {"[1, 2, 3, 4] | slice(3)", "[[1,2],[3],[4]]"},
      {"[1, 2, 3, 4] | slice(3, 'x')", R"([[1,2],[3,"x"],[4,"x"]])"},
      {"[1] | slice(3)", "[[1],[],[]]"},
      {"[1] | slice(-2)", "[]"},
      {"[1] | slice(0)", "division: a list cannot be cut into 0 slices"},
      {"[1] | slice(9000000000)", "fuel: "},
  });
}

TEST(FiltersList, EndsOfASequence) {
  expect_results({
      {"[3, 1] | first", "3"},
      {"'éa' | first", "\"é\""},
      {"'aé' | last", "\"é\""},
      {"{'bb': 1, 'a': 2} | first", "\"a\""},
      {"{'bb': 1, 'a': 2} | last", "\"bb\""},
      {"5 | first", "type: the subject of first must be a list, map or text, not number 5"},
  });
}

TEST(FiltersList, JoinTakesAnyValue) {
  expect_results({
      {"[1, 'a', none, true, 1.5, [1]] | join('|')", "\"1|a|None|True|1.5|[1]\""},
      {"[] | join(', ')", "\"\""},
      {"'abc' | join(1)", "\"a1b1c\""},
      {"[{'a': {'b': 1}}, {'a': {'b': 2}}] | join('+', attribute='a.b')", "\"1+2\""},
      {"[[1, 2], [3, 4]] | join(attribute=1)", "\"24\""},
      {"[{}] | join(attribute='a')", "undefined: there is no attribute \"a\" in {}"},
      {"5 | join", "type: cannot walk through number 5"},
  });
}

TEST(FiltersList, LengthCountsCharactersNotBytes) {
  expect_results({
      {"'日本' | length", "2"},
      {"[1, 2] | count", "2"},
      {"{'a': 1} | length", "1"},
      {"5 | length", "type: the subject of length must be a list, map or text, not number 5"},
      {"[1] | length(2)", "type: filter 'length' takes at most 0 arguments, not 1"},
  });
}

TEST(FiltersList, SumAddsWhateverCanBeAdded) {
  expect_results({
      {"[1, 2.5, true] | sum", "4.5"},
      {"[] | sum", "0"},
      {"[[1], [2]] | sum(start=[])", "[1,2]"},
      {"[{'p': 1}, {'p': 2}] | sum('p', 10)", "13"},
      {"['a'] | sum", "type: "},
      {"['a'] | sum(start='')", "type: start must be a number or list"},
      {"[9223372036854775807, 1] | sum", "overflow: "},
  });
}

TEST(FiltersList, ReverseListAndItems) {
  expect_results({
      {"[1, 2] | reverse", "[2,1]"},
      {"'aé日' | reverse", "\"日éa\""},
      {"{'a': 1, 'b': 2} | reverse", R"(["b","a"])"},
      {"none | reverse", "type: cannot walk through none null"},
      {"{'a': 1} | list", R"(["a"])"},
      {"{'b': 1, 'a': 2} | items", R"([["a",2],["b",1]])"},
      {"[1] | items", "type: "},
  });
}

TEST(FiltersList, RandomIsAFunctionOfTheStamp) {
  const std::string first = eval("range(1000) | random");
  EXPECT_EQ(eval("range(1000) | random"), first);
}

}  // namespace
}  // namespace stepwell
