#include <gtest/gtest.h>

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::render;

struct Rendering {
  std::string_view source;
  std::string_view expected;
};

constexpr std::string_view kTemplateContext =
    R"({"xs": [1, 2, 3], "m": {"a": 1, "bb": 2}, "name": "Ada", "empty": []})";

class TemplateTest : public ::testing::TestWithParam<Rendering> {};

TEST_P(TemplateTest, Renders) {
  EXPECT_EQ(render(GetParam().source, kTemplateContext), GetParam().expected) << GetParam().source;
}

INSTANTIATE_TEST_SUITE_P(Text, TemplateTest,
                         ::testing::Values(Rendering{"plain", R"("plain")"},
                                           Rendering{"Hi {{ name }}!", R"("Hi Ada!")"},
                                           Rendering{" {{ xs }} ", "[1,2,3]"},
                                           Rendering{"{{ xs }}.", R"("[1, 2, 3].")"},
                                           Rendering{"{{ 1 }}{{ 2 }}", R"("12")"},
                                           Rendering{"{{ true }} {{ none }} {{ 1.0 }}", R"("True None 1.0")"},
                                           Rendering{"a{# not seen #}b", R"("ab")"},
                                           Rendering{"{% raw %}{{ x }}{% endraw %}", R"("{{ x }}")"},
                                           Rendering{"a \n{{- 1 -}}\n b", R"("a1b")"},
                                           Rendering{"a {%- if true %} b {% endif -%} c", R"("a b c")"},
                                           Rendering{"{{ '{{' }}x", R"("{{x")"}, Rendering{"a\r\nb", R"("a\nb")"},
                                           Rendering{"{", R"("{")"}, Rendering{"", R"("")"}));

INSTANTIATE_TEST_SUITE_P(
    Statements, TemplateTest,
    ::testing::Values(Rendering{"{% if xs %}y{% else %}n{% endif %}", R"("y")"},
                      Rendering{"{% if empty %}1{% elif xs %}2{% endif %}", R"("2")"},
                      Rendering{
                          "{% for x in xs %}{{ loop.index }}/{{ loop.length }}{{ ', ' if not loop.last }}{% endfor %}",
                          R"("1/3, 2/3, 3/3")"},
                      Rendering{"{{ 'a' ~ ('b' if empty) }}!", R"("a!")"},
                      Rendering{"{{ 1 if ('b' if empty) else 2 }}!", R"("2!")"},
                      Rendering{"{{ [] | first | default('none') }}!", R"("none!")"},
                      Rendering{"{% for x in xs %}{{ x }}{{ ',' if not loop.last else '' }}{% endfor %}", R"("1,2,3")"},
                      Rendering{"{% for x in empty %}x{% else %}none{% endfor %}", R"("none")"},
                      Rendering{"{% for x in xs if x != 2 %}{{ loop.revindex }}:{{ x }} {% endfor %}", R"("2:1 1:3 ")"},
                      Rendering{"{% for k, v in m.items() %}{{ k }}={{ v }};{% endfor %}", R"("a=1;bb=2;")"},
                      Rendering{"{% for k in m %}{{ k }}{% endfor %}", R"("abb")"},
                      Rendering{"{% for x in xs %}{{ loop.cycle('a', 'b') }}{% endfor %}", R"("aba")"},
                      Rendering{"{% for x in [1, 1, 2] %}{{ loop.changed(x) }} {% endfor %}", R"("True False True ")"},
                      Rendering{"{% for x in xs %}{% for y in xs if y > loop.index %}{{ y }}{% endfor %};{% endfor %}",
                                R"("23;3;;")"},
                      Rendering{"{% for x in xs %}{{ loop.previtem | default('-') }}{% endfor %}", R"("-12")"}));

INSTANTIATE_TEST_SUITE_P(
    Variables, TemplateTest,
    ::testing::Values(
        Rendering{"{% set a = 1 %}{{ a }}{% set a = a + 1 %}{{ a }}", R"("12")"},
        Rendering{"{% set a, b = [1, 2] %}{{ b }}{{ a }}", R"("21")"},
        Rendering{"{{ name }}{% set name = 'B' %}{{ name }}", R"("AdaB")"},
        Rendering{"{% set s = 0 %}{% for x in xs %}{% set s = s + x %}{{ s }}{% endfor %}{{ s }}", R"("1230")"},
        Rendering{"{% set ns = namespace(s=0) %}{% for x in xs %}{% set ns.s = ns.s + x %}{% endfor %}{{ ns.s }}!",
                  R"("6!")"},
        Rendering{"{% if empty %}{% set name = 'B' %}{% endif %}{{ name }}{{ name | upper }}", R"("AdaADA")"},
        Rendering{
            "{% for x in xs %}{{ y | default('-') }}{% if x == 1 %}{% set y = x %}{% endif %}{{ y | default('+') }}{% "
            "endfor %}",
            R"("-1-+-+")"},
        Rendering{"{% set t %}a{{ name }}{% endset %}{{ t }}{{ t }}", R"("aAdaaAda")"},
        Rendering{"{% set t | upper | replace('A', 'x') %}ab{% endset %}{{ t }}.", R"("xB.")"},
        Rendering{"{% set m.a = 2 %}",
                  "type: 'm' is not a namespace; write {% set m = namespace() %} first in '2' at 8"},
        Rendering{"{% set a, b = xs %}", "value: cannot assign 3 items to 2 names in 'xs' at 8"},
        Rendering{"{{ loop }}{% for x in xs %}{{ loop }}{% endfor %}",
                  "unsupported: 'loop' has no value of its own; use a member, as in loop.index in 'loop' at 31"}));

TEST(TemplateBoundsTest, EveryBoundIsAnErrorWithAName) {
  EXPECT_EQ(render("{% for a in range(2000) %}{% for b in range(2000) %}{% endfor %}{% endfor %}").substr(0, 5),
            "fuel:");
  EXPECT_EQ(testing::eval("'x' * 100000000000").substr(0, 5), "size:");
  EXPECT_EQ(testing::eval("[0] * 9223372036854775807").substr(0, 5), "fuel:");
  EXPECT_EQ(testing::eval("range(100000000) | sum").substr(0, 5), "fuel:");
  EXPECT_EQ(render("{% set ns = namespace(x=[]) %}{% for i in range(5000) %}{% set ns.x = [ns.x] %}{% endfor %}.")
                .substr(0, 6),
            "depth:");
  EXPECT_EQ(render("{% set ns = namespace(x='ab') %}{% for i in range(50) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}.",
                   "{}", {.fuel = 100'000'000})
                .substr(0, 5),
            "size:");
  EXPECT_EQ(render("{{ x }}{{ x }}", R"({"x": "abcdef"})", {.fuel = 100, .text_bytes = 10}).substr(0, 5), "size:");
  EXPECT_EQ(testing::eval("x == x", "{\"x\": [[[1, 2, 3], 4], 5]}", {.fuel = 4, .text_bytes = 10}).substr(0, 5),
            "fuel:");
}

}  // namespace
}  // namespace stepwell
