#include "stepwell/expr/unparse.h"

#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/parser.h"
#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

std::string canonical(std::string_view source) {
  const auto tree = parse_expression(source);
  return tree ? unparse(*tree) : tree.error().summary();
}

std::string canonical_template(std::string_view source) {
  const auto tree = parse_template(source);
  return tree ? unparse(*tree) : tree.error().summary();
}

TEST(UnparseTest, SpacingQuotingAndSpellingDoNotMatter) {
  EXPECT_EQ(canonical("  a+b *2<=\n c.d  "), "a + b * 2 <= c.d");
  EXPECT_EQ(canonical("{{- \"it's\" ~ 'a' 'b' }}"), "'it\\'s' ~ 'ab'");
  EXPECT_EQ(canonical("[0x10, 1_000, 1e3, 1.50, True, None, (1,), ()]"),
            "[16, 1000, 1000.0, 1.5, true, none, [1], []]");
  EXPECT_EQ(canonical("{'a':1,'b':[2,3,],}['a']"), "{'a': 1, 'b': [2, 3]}['a']");
  EXPECT_EQ(canonical("x . 1 [ none : 2 ][::]"), "x[1][:2][:]");
  EXPECT_EQ(canonical("( f( a ,b = 1 )|g()|h(1) ).y"), "(f(a, b=1) | g | h(1)).y");
  EXPECT_EQ(canonical("x is divisibleby 3"), "x is divisibleby(3)");
  EXPECT_EQ(canonical("not x is odd"), canonical("x is not odd"));
  EXPECT_EQ(canonical("'a\\x62\\tc\\\\d\\u00e9\\0'"), "'ab\\tc\\\\dé\\x00'");
}

TEST(UnparseTest, OnlyNeededParenthesesStay) {
  EXPECT_EQ(canonical("((a) + (b * (c)))"), "a + b * c");
  EXPECT_EQ(canonical("(a + b) * c"), "(a + b) * c");
  EXPECT_EQ(canonical("a - (b - c)"), "a - (b - c)");
  EXPECT_EQ(canonical("(2 ** 3) ** 2 + 2 ** (3 ** 2)"), "2 ** 3 ** 2 + 2 ** (3 ** 2)");
  EXPECT_EQ(canonical("(-x) | abs + -(x | abs)"), "-x | abs + -(x | abs)");
  EXPECT_EQ(canonical("(-x).y and (a or (b and c))"), "(-x).y and (a or b and c)");
  EXPECT_EQ(canonical("not (a == (b == c))"), "not a == (b == c)");
  EXPECT_EQ(canonical("(a if b else c) if d else (e if f)"), "(a if b else c) if d else e if f");
  EXPECT_EQ(canonical("-9223372036854775808 - -1"), "-9223372036854775808 - -1");
}

TEST(UnparseTest, ATestBeforeAWordShowsItsEnd) {
  EXPECT_EQ(canonical("(x is odd) in y"), "x is odd() in y");
  EXPECT_EQ(canonical("1 if (x is odd) else 2"), "1 if x is odd else 2");
  EXPECT_EQ(canonical("(x is odd) if y"), "x is odd() if y");
  EXPECT_EQ(canonical("(x is not odd) is even"), "x is not odd() is even");
}

TEST(UnparseTest, TemplatesHaveOneStyleToo) {
  EXPECT_EQ(canonical_template("a {%-if x%}b{%elif y-%} c{%else%}d{%endif%}"),
            "a{% if x %}b{% elif y %}c{% else %}d{% endif %}");
  EXPECT_EQ(canonical_template("{% for (k,v) in m.items() if true %}{{k}}{% else %}-{% endfor %}"),
            "{% for k, v in m.items() %}{{ k }}{% else %}-{% endfor %}");
  EXPECT_EQ(canonical_template("{% for a, (b, c) in (x if y) if z is odd %}{% endfor %}"),
            "{% for a, (b, c) in (x if y) if z is odd %}{% endfor %}");
  EXPECT_EQ(canonical_template("{%set n = namespace()%}{%set n.x=1,2%}"),
            "{% set n = namespace() %}{% set n.x = [1, 2] %}");
  EXPECT_EQ(canonical_template("{%set t|upper|replace('A','b')%}x{%endset%}"),
            "{% set t | upper | replace('A', 'b') %}x{% endset %}");
}

TEST(UnparseTest, TextThatLooksLikeATagIsRawAndCommentsAreGone) {
  EXPECT_EQ(canonical_template("a{# note #}b{% raw %}c{% endraw %}"), "abc");
  EXPECT_EQ(canonical_template("{% raw %}{{ x }}{% endraw %}{{ y }}."), "{% raw %}{{ x }}{% endraw %}{{ y }}.");
  EXPECT_EQ(canonical_template("{% raw %}{{% endraw %}{{ y }}"), "{% raw %}{{% endraw %}{{ y }}");
  EXPECT_EQ(canonical_template("{% raw %}{% end{% endraw %}raw %}"),
            "{% raw %}{% end{% endraw %}{% raw %}raw %}{% endraw %}");
}

TEST(UnparseTest, MessagesPointIntoTheCanonicalText) {
  const auto tree = parse_expression("{{   ctx.order .total+'x'  }}");
  ASSERT_TRUE(tree.has_value());
  const Tree read = with_canonical_source(*tree);
  EXPECT_EQ(read.source, "ctx.order.total + 'x'");
  EXPECT_EQ(testing::answer_of(testing::run(compile(read), R"({"ctx": {"order": {}}})")),
            "undefined: 'ctx.order.total' is undefined in 'ctx.order.total + 'x'' at 11");
}

}  // namespace
}  // namespace stepwell
