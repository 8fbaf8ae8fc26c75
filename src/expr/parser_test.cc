#include "stepwell/expr/parser.h"

#include <gtest/gtest.h>

#include "stepwell/expr/tree.h"

namespace stepwell {
namespace {

std::string tree_of(std::string_view source) {
  const auto tree = parse_expression(source);
  return tree ? dump(*tree) : tree.error().summary();
}

std::string template_tree_of(std::string_view source) {
  const auto tree = parse_template(source);
  return tree ? dump(*tree) : tree.error().summary();
}

TEST(ParserTest, ProductsBindTighterThanSumsAndTildeInBetween) {
  EXPECT_EQ(tree_of("1 + 2 * 3 ~ x"),
            "arithmetic +\n"
            "  constant 1\n"
            "  concat\n"
            "    arithmetic *\n"
            "      constant 2\n"
            "      constant 3\n"
            "    name x\n");
}

TEST(ParserTest, PowerBindsToTheLeftAndFiltersBindToTheSign) {
  EXPECT_EQ(tree_of("-2 ** 3 ** x"),
            "arithmetic **\n"
            "  arithmetic **\n"
            "    negate\n"
            "      constant 2\n"
            "    constant 3\n"
            "  name x\n");
  EXPECT_EQ(tree_of("-x | abs"),
            "filter abs\n"
            "  negate\n"
            "    name x\n");
}

TEST(ParserTest, ComparisonsChainAndNotReachesAcrossThem) {
  EXPECT_EQ(tree_of("not a < b <= c and d not in e"),
            "and\n"
            "  not\n"
            "    compare < <=\n"
            "      name a\n"
            "      name b\n"
            "      name c\n"
            "  compare not in\n"
            "    name d\n"
            "    name e\n");
}

TEST(ParserTest, CallsAreFunctionsMethodsFiltersAndTests) {
  EXPECT_EQ(tree_of("range(1, stop=n) | map('upper') is not divisibleby 3"),
            "not\n"
            "  test divisibleby\n"
            "    filter map\n"
            "      call range\n"
            "        constant 1\n"
            "        stop=name n\n"
            "      constant \"upper\"\n"
            "    constant 3\n");
  EXPECT_EQ(tree_of("a.b.split(',')[1:]"),
            "slice\n"
            "  method split\n"
            "    member b\n"
            "      name a\n"
            "    constant \",\"\n"
            "  constant 1\n"
            "  constant null\n"
            "  constant null\n");
}

TEST(ParserTest, TheInlineIfNestsToTheRight) {
  EXPECT_EQ(tree_of("1 if a else 2 if b"),
            "conditional\n"
            "  name a\n"
            "  constant 1\n"
            "  conditional\n"
            "    name b\n"
            "    constant 2\n");
}

TEST(ParserTest, OneExpressionInBracesIsTheSameTree) {
  EXPECT_EQ(tree_of(" {{ a.b }}\n"), tree_of("a.b"));
  EXPECT_EQ(template_tree_of("{{ {'a': {'b': 1}} }}"), tree_of("{'a': {'b': 1}}"));
}

TEST(ParserTest, StatementsHoldTheirParts) {
  EXPECT_EQ(template_tree_of("{% for k, v in m.items() if v %}{{ k }}{% else %}none{% endfor %}"),
            "sequence\n"
            "  for\n"
            "    list\n"
            "      name k\n"
            "      name v\n"
            "    method items\n"
            "      name m\n"
            "    name v\n"
            "    sequence\n"
            "      print\n"
            "        name k\n"
            "    sequence\n"
            "      text \"none\"\n");
  EXPECT_EQ(template_tree_of("{% if a %}1{% elif b %}2{% else %}3{% endif %}{% set ns.x = 1, 2 %}"),
            "sequence\n"
            "  if\n"
            "    name a\n"
            "    sequence\n"
            "      text \"1\"\n"
            "    name b\n"
            "    sequence\n"
            "      text \"2\"\n"
            "    sequence\n"
            "      text \"3\"\n"
            "  set\n"
            "    attribute ns.x\n"
            "    list\n"
            "      constant 1\n"
            "      constant 2\n");
}

TEST(ParserTest, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(tree_of(""), "expected an expression, found the end in '' at 1");
  EXPECT_EQ(tree_of("a +"), "expected an expression, found the end in 'a +' at 4");
  EXPECT_EQ(tree_of("(a"), "expected ')', found the end in '(a' at 3");
  EXPECT_EQ(tree_of("a b"), "expected the end, found 'b' in 'a b' at 3");
  EXPECT_EQ(tree_of("a)"), "')' closes nothing in 'a)' at 2");
  EXPECT_EQ(tree_of("[1)"), "')' does not close the '[' before it in '[1)' at 3");
  EXPECT_EQ(tree_of("'abc"), "this text is not closed in ''abc' at 1");
  EXPECT_EQ(tree_of("9223372036854775808"), "this integer does not fit in 64 bits in '9223372036854775808' at 1");
  EXPECT_EQ(tree_of("f(a=1, 2)"), "an argument without a name cannot follow one with a name in 'f(a=1, 2)' at 8");
  EXPECT_EQ(tree_of("x is odd is even"),
            "a test cannot follow a test; put the first one in parentheses in 'x is odd is even' at 10");
  EXPECT_EQ(tree_of("é ? 1"), "'?' has no meaning here in 'é ? 1' at 3");
  EXPECT_EQ(tree_of("f(*a)"), "arguments from a list or map (* and **) are not part of the language in 'f(*a)' at 3");
}

TEST(ParserTest, TemplatesSayWhatIsNotClosed) {
  EXPECT_EQ(template_tree_of("a {{ b"), "'{{' is not closed; add '}}' in 'a {{ b' at 3");
  EXPECT_EQ(template_tree_of("{# a"), "this comment is not closed; add '#}' in '{# a' at 1");
  EXPECT_EQ(template_tree_of("{% raw %}{{ a"),
            "this raw block is not closed; add '{% endraw %}' in '{% raw %}{{ a' at 1");
  EXPECT_EQ(template_tree_of("{% if a %}b"), "the block is not closed; add '{% endif %}' in '{% if a %}b' at 12");
  EXPECT_EQ(template_tree_of("{% fro a %}"), "unknown tag 'fro'; there are if, for, set and raw in '{% fro a %}' at 4");
  EXPECT_EQ(template_tree_of("{% include 'a' %}"),
            "the tag 'include' of Jinja2 is not part of the language in '{% include 'a' %}' at 4");
  EXPECT_EQ(template_tree_of("line\n{{ a b }}"), "expected '}}', found 'b' in '{{ a b }}' at line 2, column 6");
}

TEST(ParserTest, NestingIsBoundedAndChainsAreLong) {
  auto code_of = [](const std::string& source) { return parse_expression(source).error().code; };
  EXPECT_EQ(code_of(std::string(5000, '(')), FaultCode::depth);
  EXPECT_EQ(code_of(std::string(5000, '[')), FaultCode::depth);
  EXPECT_EQ(code_of(std::string(100000, '-')), FaultCode::depth);
  std::string sum = "1";
  for (int i = 0; i < 900; ++i) sum += " + 1";
  EXPECT_TRUE(parse_expression(sum).has_value());
  for (int i = 0; i < 900; ++i) sum += " + 1";
  EXPECT_EQ(parse_expression(sum).error().code, FaultCode::depth);
  std::string blocks;
  for (int i = 0; i < 5000; ++i) blocks += "{% if a %}";
  EXPECT_EQ(parse_template(blocks).error().code, FaultCode::depth);
}

}  // namespace
}  // namespace stepwell
