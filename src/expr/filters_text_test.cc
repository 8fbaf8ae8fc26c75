#include "stepwell/expr/filters_text.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::eval;
using testing::expect_results;

TEST(FiltersText, CaseAndWords) {
  expect_results({
      {"'hELLO wORLD' | capitalize", "\"Hello world\""},
      {"none | upper", "\"NONE\""},
      {"\"it's the old-man (and)\" | title", "\"It's The Old-Man (And)\""},
      {"'ΑΣ ΑΣ' | title", "\"Ασ Ασ\""},
      {"'one two,three_four 5' | wordcount", "4"},
      {"'' | wordcount", "0"},
  });
}

TEST(FiltersText, CenterPadsAsPythonDoes) {
  expect_results({
      {"'ab' | center(5)", "\"  ab \""},
      {"'abc' | center(6)", "\" abc  \""},
      {"'abc' | center(2)", "\"abc\""},
      {"5 | center(3)", "\" 5 \""},
      {"'a' | center('9')", "type: width must be a whole number, not text \"9\""},
      {"'a' | center(900000000000)", "size: "},
  });
}

TEST(FiltersText, IndentLeavesTheFirstAndBlankLines) {
  expect_results({
      {"'a\\n\\nb' | indent", R"("a\n\n    b")"},
      {"'a\\n\\nb' | indent(1, blank=true)", R"("a\n \n b")"},
      {"'a\\nb' | indent('> ', first=true)", R"("> a\n> b")"},
      {"'a\\r\\nb\\n' | indent(1)", R"("a\n b\n")"},
      {"'' | indent(2, true)", "\"  \""},
      {"5 | indent", "type: "},
  });
}

TEST(FiltersText, ReplaceCountsItsWork) {
  expect_results({
      {"'aaa' | replace('a', 'b', 2)", "\"bba\""},
      {"'abc' | replace('', '-')", "\"-a-b-c-\""},
      {"'abc' | replace('', '-', 2)", "\"-a-bc\""},
      {"123 | replace(2, none)", "\"1None3\""},
      {"'a' | replace('a', 'b', 0)", "\"a\""},
      {"'a' | replace('a')", "type: filter 'replace' needs the argument 'new'"},
      {"('a' * 100000) | replace('a', 'b' * 100000)", "size: "},
  });
}

TEST(FiltersText, TruncateCutsAtASpaceUnlessTold) {
  expect_results({
      {"'foo bar baz qux' | truncate(9)", "\"foo...\""},
      {"'foo bar baz qux' | truncate(9, true)", "\"foo ba...\""},
      {"'foo bar baz qux' | truncate(11)", "\"foo bar baz qux\""},
      {"'foo bar baz qux' | truncate(11, leeway=0, end='…')", "\"foo bar…\""},
      {"'abcdefghij' | truncate(4, leeway=0)", "\"a...\""},
      {"'abc' | truncate(2)", "value: length must be at least 3, the length of end, not 2"},
      {"'abc' | truncate(9, leeway=-1)", "value: leeway must not be negative, not -1"},
  });
}

TEST(FiltersText, TrimTakesASetOfCharacters) {
  expect_results({
      {"' \\t a b\\n' | trim", "\"a b\""},
      {"'xyaxy' | trim('yx')", "\"a\""},
      {"'\\u00a0a\\u3000' | trim", "\"a\""},
      {"'aaa' | trim('a')", "\"\""},
      {"5 | trim", "\"5\""},
      {"'a' | trim(5)", "type: chars must be text, not number 5"},
  });
}

TEST(FiltersText, FormatIsThePercentOperator) {
  expect_results({
      {"'%s and %r' | format('a', 'a')", "\"a and 'a'\""},
      {"'%(a)s' | format(a=1)", "\"1\""},
      {"'%s' | format(1, 2)", "type: "},
      {"'%s %(a)s' | format(1, a=2)", "type: filter 'format' takes arguments by position or by name, not both"},
      {"[1, none, 'a'] | string", "\"[1, None, 'a']\""},
  });
}

TEST(FiltersText, SearchIsLinearWhateverTheTexts) {
  // Naive search would compare 10^12 characters.
  EXPECT_EQ(eval("('a' * 2000000) | replace('a' * 1000000 ~ 'b', '') | length"), "2000000");
}

}  // namespace
}  // namespace stepwell
