#include "stepwell/expr/text_case.h"

#include <gtest/gtest.h>

namespace stepwell {
namespace {

TEST(TextCase, OneLetterMayBecomeSeveral) {
  EXPECT_EQ(upper_case("straße ﬃ ŉ"), "STRASSE FFI ʼN");
  EXPECT_EQ(lower_case("İSTANBUL"), "i̇stanbul");
  EXPECT_EQ(capitalized("ßA"), "Ssa");
  EXPECT_EQ(capitalized("ﬁNE"), "Fine");
}

TEST(TextCase, TitleCaseIsNotAlwaysUpperCase) {
  EXPECT_EQ(upper_case("ǆ"), "Ǆ");
  EXPECT_EQ(capitalized("ǆEP"), "ǅep");
  EXPECT_EQ(upper_case("ᾳ"), "ΑΙ");
  EXPECT_EQ(capitalized("ᾳ"), "ᾼ");
}

TEST(TextCase, SigmaAtTheEndOfAWordIsFinal) {
  EXPECT_EQ(lower_case("ΟΔΥΣΣΕΥΣ"), "οδυσσευς");
  EXPECT_EQ(lower_case("Σ"), "σ");
  EXPECT_EQ(lower_case("ΑΣ. ΑΣ'Α ΑΣ1"), "ας. ασ'α ας1");
  EXPECT_EQ(capitalized("ΣΑΣ"), "Σας");
}

TEST(TextCase, AllOfACaseNeedsACasedCharacter) {
  EXPECT_TRUE(is_all_lower("abc 1é"));
  EXPECT_FALSE(is_all_lower("aBc"));
  EXPECT_FALSE(is_all_lower("123"));
  EXPECT_FALSE(is_all_lower(""));
  EXPECT_TRUE(is_all_upper("ABC-Ⅷ"));
  EXPECT_FALSE(is_all_upper("ǅ"));
  EXPECT_TRUE(is_all_lower("ª"));
}

TEST(TextCase, BytesThatAreNoTextStopNothing) {
  EXPECT_EQ(lower_case("\xff\x41"), "\xEF\xBF\xBD\x61");
  EXPECT_EQ(upper_case("a\xe2\x82"), "A\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace stepwell
