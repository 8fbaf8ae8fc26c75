#include "stepwell/expr/filters_select.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::expect_results;

TEST(FiltersSelect, MapAppliesAFilterWithItsArguments) {
  expect_results({
      {"['a', 'b'] | map('upper')", R"(["A","B"])"},
      {"[1.25, 2.75] | map('round', 1, method='floor')", "[1.2,2.7]"},
      {"[] | map('nothing')", "[]"},
      {"[1] | map('nothing')", "value: there is no filter named \"nothing\""},
      {"[1] | map('round', digits=1)", "type: filter 'round' has no argument 'digits'; it takes precision, method"},
      {"[1] | map", "type: filter 'map' needs the name of a filter, or attribute="},
  });
}

TEST(FiltersSelect, MapTakesAMemberOfEachItem) {
  expect_results({
      {"[{'a': {'b': 1}}, {'a': {'b': 2}}] | map(attribute='a.b')", "[1,2]"},
      {"[[1, 2], [3, 4]] | map(attribute='1')", "[2,4]"},
      {"[[1, 2]] | map(attribute=0)", "[1]"},
      {"[{}] | map(attribute='a')", "undefined: "},
      {"[{}, {'a': none}, 5] | map(attribute='a', default='x')", R"(["x",null,"x"])"},
      {"[{}] | map(attribute='a.b', default='x')", R"(["x"])"},
      {"[{}] | map(attribute='a', other=1)", "type: filter 'map' has no argument 'other'"},
  });
}

TEST(FiltersSelect, SelectAndRejectByATestOrByTruth) {
  expect_results({
      {"[0, 1, '', 'a', none, []] | select", R"([1,"a"])"},
      {"[0, 1, ''] | reject", R"([0,""])"},
      {"range(5) | select('odd')", "[1,3]"},
      {"range(5) | reject('divisibleby', 2)", "[1,3]"},
      {"range(5) | select('>', 2)", "[3,4]"},
      {"[1] | select('nothing')", "value: there is no test named \"nothing\""},
      {"5 | select", "type: "},
      {"0 | select", "[]"},
  });
}

TEST(FiltersSelect, AMissingMemberCanBeAskedAboutButNotUsed) {
  expect_results({
      {"[{'a': 1}, {}] | selectattr('a', 'defined')", R"([{"a":1}])"},
      {"[{'a': 1}, {}] | rejectattr('a', 'defined')", "[{}]"},
      {"[{'a': 1}, {}] | selectattr('a', 'undefined')", "[{}]"},
      {"[{'a': 1}, {'a': 0}] | selectattr('a')", R"([{"a":1}])"},
      {"[{'a': 1}, {'a': 2}] | rejectattr('a', 'eq', 1)", R"([{"a":2}])"},
      {"[{}] | selectattr('a')", "undefined: "},
      {"[{}] | selectattr('a.b', 'defined')", "undefined: "},
      {"[{}] | selectattr", "type: an attribute to choose by is missing"},
  });
}

}  // namespace
}  // namespace stepwell
