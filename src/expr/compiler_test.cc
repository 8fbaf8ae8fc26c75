#include "stepwell/expr/compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "stepwell/expr/program.h"

namespace stepwell {
namespace {

std::string program_of(std::string_view source) {
  const auto program = compile_expression(source);
  return program ? dump(*program) : program.error().summary();
}

std::string reads_of(std::string_view source) {
  const auto program = compile_template(source);
  if (!program) return program.error().summary();
  std::vector<std::string> paths;
  for (const Path& path : program->reads) paths.push_back(path.str());
  return fmt::format("{}", fmt::join(paths, " "));
}

TEST(CompilerTest, APathFromOutsideIsOneInstruction) {
  EXPECT_EQ(program_of("ctx.order.lines[0].price > limit and not ctx['paid']"),
            "   0 path ctx.order.lines[0].price\n"
            "   1 path limit\n"
            "   2 compare >\n"
            "   3 and_jump 6\n"
            "   4 path ctx.paid\n"
            "   5 not\n"
            "   6 done\n"
            "reads ctx.paid\n"
            "reads ctx.order.lines[0].price\n"
            "reads limit\n");
}

TEST(CompilerTest, AKeyKnownOnlyAtRunTimeComesFromTheStackAndEndsTheConstantPath) {
  EXPECT_EQ(program_of("ctx.items[i].price"),
            "   0 path i\n"
            "   1 path ctx.items[*].price\n"
            "   2 done\n"
            "reads i\n"
            "reads ctx.items\n");
}

TEST(CompilerTest, ConstantsAreFoldedAndWhatFailsIsLeftForLater) {
  EXPECT_EQ(program_of("'a' ~ (2 * 3) | string"), "   0 constant \"a6\"\n   1 done\n");
  EXPECT_EQ(program_of("x + (2 ** 10 - 24)"),
            "   0 path x\n   1 constant 1000\n   2 arithmetic +\n   3 done\nreads x\n");
  EXPECT_EQ(program_of("1 // 0"), "   0 constant 1\n   1 constant 0\n   2 arithmetic //\n   3 done\n");
  EXPECT_EQ(program_of("now()"), "   0 call function now 0\n   1 done\n");
}

TEST(CompilerTest, FactsKnowWhatAProgramReads) {
  EXPECT_EQ(reads_of("{{ ctx.a.b }} and {{ ctx.a }}, {{ fetch.status }}"), "ctx.a ctx.a.b fetch.status");
  EXPECT_EQ(reads_of("{% set x = ctx.a %}{{ x.y }}{% for i in ctx.list %}{{ i.price }}{{ loop.index }}{% endfor %}"),
            "ctx.a ctx.list");
  EXPECT_EQ(reads_of("{{ 1 + 1 }}"), "");
  EXPECT_EQ(reads_of("{% if a %}{% set x = 1 %}{% endif %}{{ x }}"), "a x");
}

TEST(CompilerTest, AGuardCanBeAskedWhetherItReadsSomething) {
  const auto program = compile_expression("ctx._last_error.kind == 'timeout' or fetch.attempts > 2");
  ASSERT_TRUE(program.has_value());
  EXPECT_TRUE(program->reads_any_of({"ctx", "_last_error"}));
  EXPECT_TRUE(program->reads_any_of({"fetch"}));
  EXPECT_TRUE(program->reads_any_of({"fetch", "attempts", "x"}));
  EXPECT_FALSE(program->reads_any_of({"fetch", "status"}));
  EXPECT_FALSE(program->reads_any_of({"ctx", "total"}));
  EXPECT_EQ(program->constant(), nullptr);
  EXPECT_TRUE(program->pure);
  EXPECT_FALSE(compile_expression("now()")->pure);
  EXPECT_EQ(*compile_expression("1 + 1")->constant(), Value(2));
}

TEST(CompilerTest, WhatDoesNotExistIsSaidWithTheNearestWord) {
  EXPECT_EQ(program_of("x | uper"), "unknown filter 'uper'; did you mean 'upper'? in 'x | uper' at 5");
  EXPECT_EQ(program_of("x is od"), "unknown test 'od'; did you mean 'odd'? in 'x is od' at 6");
  EXPECT_EQ(program_of("rang(3)"), "unknown function 'rang'; did you mean 'range'? in 'rang(3)' at 1");
  EXPECT_EQ(program_of("x.lowr()"), "unknown method 'lowr'; did you mean 'lower'? in 'x.lowr()' at 3");
  EXPECT_EQ(program_of("x | round(digits=2)"),
            "filter 'round' has no argument 'digits'; it takes precision, method in 'x | round(digits=2)' at 18");
  EXPECT_EQ(program_of("x | round(1, precision=2)"),
            "filter 'round' is given the argument 'precision' twice in 'x | round(1, precision=2)' at 24");
  EXPECT_EQ(program_of("x | replace('a')"), "filter 'replace' needs the argument 'new' in 'x | replace('a')' at 5");
}

}  // namespace
}  // namespace stepwell
