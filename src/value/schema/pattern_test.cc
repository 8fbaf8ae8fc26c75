#include "stepwell/value/schema/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/value/schema/ecma_regex.h"

namespace stepwell::schema {
namespace {

using ::testing::HasSubstr;

bool matches(std::string_view pattern, std::string_view text) {
  const auto compiled = Pattern::compile(pattern);
  EXPECT_TRUE(compiled) << pattern << ": " << (compiled ? "" : compiled.error());
  return compiled && compiled->matches(text);
}

std::string refusal(std::string_view pattern) {
  const auto compiled = Pattern::compile(pattern);
  EXPECT_FALSE(compiled) << pattern;
  return compiled ? "" : compiled.error();
}

TEST(Pattern, MatchesAnywhereUnlessAnchored) {
  EXPECT_TRUE(matches("b+", "abbc"));
  EXPECT_FALSE(matches("^b+$", "abbc"));
  EXPECT_TRUE(matches("", "anything"));
  EXPECT_FALSE(matches("a$", "a\n")) << "$ is the very end";
}

TEST(Pattern, EscapesOfEcmaScriptMeanWhatTheySay) {
  EXPECT_TRUE(matches(R"(^\/\-\.\_$)", "/-._"));
  EXPECT_TRUE(matches(R"(^\u00e9$)", "é"));
  EXPECT_TRUE(matches(R"(^\ud83d\ude00$)", "😀"));
  EXPECT_TRUE(matches(R"(^\u{1F600}$)", "😀"));
  EXPECT_TRUE(matches(R"(^\x41\cJ\t\v\0$)", std::string_view("A\n\t\v\0", 5)));
  EXPECT_TRUE(matches(R"(^\p{L}+$)", "Straße"));
  EXPECT_TRUE(matches(R"(^(?<year>\d{4})-(?:0[1-9]|1[0-2])$)", "2024-02"));
}

TEST(Pattern, WhiteSpaceAndDotAreThoseOfEcmaScript) {
  for (const char* space : {" ", "\t", "\v", "\u00a0", "\u2028", "\ufeff", "\u3000"}) {
    EXPECT_TRUE(matches(R"(^\s$)", space));
    EXPECT_FALSE(matches(R"(^\S$)", space));
    EXPECT_TRUE(matches(R"(^[\s]$)", space));
    EXPECT_FALSE(matches(R"(^[x\S]$)", space));
  }
  EXPECT_FALSE(matches("^.$", "\r"));
  EXPECT_FALSE(matches("^.$", "\u2029"));
  EXPECT_TRUE(matches("^.$", "€"));
}

TEST(Pattern, CharacterClassesKeepTheirLiterals) {
  EXPECT_TRUE(matches(R"(^[[:a]+$)", "a[:"));
  EXPECT_TRUE(matches(R"(^[\b]$)", "\b"));
  EXPECT_TRUE(matches(R"(^[\w-]+$)", "a-b"));
  EXPECT_TRUE(matches(R"(^[\s-x]+$)", "- x"));
  EXPECT_FALSE(matches(R"(^[\s-x]$)", "a"));
  EXPECT_TRUE(matches(R"(^[+--]$)", ","));
  EXPECT_TRUE(matches(R"(^[a\-z]+$)", "a-z"));
  EXPECT_FALSE(matches(R"(^[a\-z]+$)", "b"));
  EXPECT_TRUE(matches(R"(^[à-ü^]+$)", "é^"));
  EXPECT_TRUE(matches("^[^]$", "\n"));
  EXPECT_FALSE(matches("[]", "a"));
}

TEST(Pattern, WhatNoAutomatonHasIsRefusedByName) {
  EXPECT_EQ(refusal("a(?=b)"), "look-ahead, which is not supported, at 1");
  EXPECT_EQ(refusal("(?!a)"), "look-ahead, which is not supported, at 0");
  EXPECT_EQ(refusal("(?<=a)b"), "look-behind, which is not supported, at 0");
  EXPECT_EQ(refusal(R"((a)\1)"), "a back-reference, which is not supported, at 3");
  EXPECT_EQ(refusal(R"((?<n>a)\k<n>)"), "a named back-reference, which is not supported, at 7");
}

TEST(Pattern, WhatEcmaScriptDoesNotHaveIsRefused) {
  EXPECT_EQ(refusal(R"(a\Z)"), R"(the escape \Z, which ECMA 262 does not have, at 1)");
  EXPECT_THAT(refusal("(?i)a"), HasSubstr("a kind of group"));
  EXPECT_THAT(refusal(R"(\u12)"), HasSubstr("four hexadecimal digits"));
  EXPECT_THAT(refusal(R"(\ud800)"), HasSubstr("surrogate"));
  EXPECT_THAT(refusal(R"(a\)"), HasSubstr("backslash"));
  EXPECT_THAT(refusal("[a"), HasSubstr("not closed"));
}

TEST(Pattern, MistakesInTheStructureAreReportedInTheWordsOfTheEngine) {
  EXPECT_THAT(refusal("(a"), HasSubstr("missing )"));
  EXPECT_THAT(refusal("a**"), HasSubstr("bad repetition"));
  EXPECT_THAT(refusal("(((a{100}){100}){100}){100}"), HasSubstr("invalid repetition size"));
}

TEST(Pattern, TakesLinearTimeWhereBacktrackingWouldNot) {
  const std::string text(100'000, 'a');
  EXPECT_FALSE(matches("^(a+)+b$", text));
  EXPECT_FALSE(matches("^(a|a|b?)*c$", text));
}

}  // namespace
}  // namespace stepwell::schema
