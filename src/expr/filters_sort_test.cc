#include "stepwell/expr/filters_sort.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::eval;
using testing::expect_results;

TEST(FiltersSort, SortIsStableAndIgnoresCase) {
  expect_results({
      {"['b', 'A', 'a', 'B'] | sort", R"(["A","a","b","B"])"},
      {"['b', 'A', 'a', 'B'] | sort(case_sensitive=true)", R"(["A","B","a","b"])"},
      {"['b', 'A', 'a', 'B'] | sort(true)", R"(["b","B","A","a"])"},
      {"[2, 1.5, true, 1] | sort", "[true,1,1.5,2]"},
      {"['a'] | sort('name')", "type: reverse must be a whole number, not text \"name\""},
      {"[none, none] | sort", "[null,null]"},
      {"[none, 1] | sort", "type: "},
      {"[1, 'a'] | sort", "type: "},
      {"[{'a': 2, 'b': 1}, {'a': 1, 'b': 2}, {'a': 1, 'b': 1}] | sort(attribute='a,b') | map(attribute='b')",
       "[1,2,1]"},
      {"[{}] | sort(attribute='a')", "undefined: "},
      {"{'b': 1, 'a': 2} | sort", R"(["a","b"])"},
  });
}

TEST(FiltersSort, UniqueKeepsTheFirstOfEqualOnes) {
  expect_results({
      {"['a', 'B', 'A', 'b'] | unique", R"(["a","B"])"},
      {"['a', 'A'] | unique(true)", R"(["a","A"])"},
      {"[1, 1.0, true, '1', none, none, 0.5, 0.5] | unique", R"([1,"1",null,0.5])"},
      {"[{'a': 1, 'b': 1}, {'a': 1, 'b': 2}] | unique(attribute='a')", R"([{"a":1,"b":1}])"},
      {"[[1], [1]] | unique", "type: what unique compares must be text, a number, a boolean or none, not list [1]"},
  });
}

TEST(FiltersSort, GroupsKeepTheSpellingOfTheirFirstMember) {
  expect_results({
      {"[{'k': 'b'}, {'k': 'A'}, {'k': 'a'}] | groupby('k')", R"([["A",[{"k":"A"},{"k":"a"}]],["b",[{"k":"b"}]]])"},
      {"[{'k': 'a'}, {'k': 'A'}] | groupby('k', case_sensitive=true) | map('first')", R"(["A","a"])"},
      {"[{'k': 2}, {}] | groupby('k', default=1) | map('first')", "[1,2]"},
      {"[{'k': 2}, {}] | groupby('k')", "undefined: "},
      {"[] | groupby", "type: filter 'groupby' needs the argument 'attribute'"},
  });
}

TEST(FiltersSort, LeastAndMost) {
  expect_results({
      {"[3, 1, 2] | min", "1"},
      {"['b', 'A'] | max", "\"b\""},
      {"['b', 'A'] | min(case_sensitive=true)", "\"A\""},
      {"[{'a': 1, 'n': 'x'}, {'a': 1, 'n': 'y'}] | max(attribute='a')", R"({"a":1,"n":"x"})"},
      {"[none, none] | min", "type: "},
      {"[none] | min", "null"},
  });
}

TEST(FiltersSort, DictsortByKeyOrValue) {
  expect_results({
      {"{'b': 1, 'A': 2} | dictsort", R"([["A",2],["b",1]])"},
      {"{'b': 1, 'A': 2} | dictsort(by='value')", R"([["b",1],["A",2]])"},
      {"{'b': 1, 'A': 2} | dictsort(reverse=true)", R"([["b",1],["A",2]])"},
      {"{'a': 1} | dictsort(by='both')", "value: by must be 'key' or 'value', not \"both\""},
      {"[1] | dictsort", "type: "},
  });
}

TEST(FiltersSort, SortingSpendsFuel) {
  EXPECT_EQ(eval("range(1000) | sort(reverse=true) | length", "{}", {.fuel = 5'000}).substr(0, 5), "fuel:");
}

}  // namespace
}  // namespace stepwell
