#include "stepwell/base/nearest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stepwell {
namespace {

std::string guess(std::string_view word, std::vector<std::string_view> candidates) {
  return std::string(nearest(word, candidates).value_or("-"));
}

TEST(Nearest, FindsOneEditOfEachKind) {
  EXPECT_EQ(guess("charg", {"ship", "charge"}), "charge");
  EXPECT_EQ(guess("chharge", {"ship", "charge"}), "charge");
  EXPECT_EQ(guess("chirge", {"ship", "charge"}), "charge");
  EXPECT_EQ(guess("cahrge", {"ship", "charge"}), "charge");
  EXPECT_EQ(guess("evla", {"value", "eval"}), "eval");
}

TEST(Nearest, PrefersFewerEditsThenTheEarlierCandidate) {
  EXPECT_EQ(guess("stap", {"stop", "step", "stay"}), "stop");
  EXPECT_EQ(guess("sorted", {"sort", "sorter"}), "sorter");
}

TEST(Nearest, IgnoresCase) { EXPECT_EQ(guess("EVAL", {"value", "eval"}), "eval"); }

TEST(Nearest, SaysNothingRatherThanNonsense) {
  EXPECT_EQ(guess("frobnicate", {"eval", "value"}), "-");
  EXPECT_EQ(guess("", {"eval", "a"}), "-");
  EXPECT_EQ(guess("x", {"y"}), "-");
  EXPECT_EQ(guess("eval", {}), "-");
}

TEST(Nearest, GivesUpOnVeryLongWords) {
  const std::string longest(64, 'a'), longer(65, 'a');
  EXPECT_EQ(guess(longest, {longest}), longest);
  EXPECT_EQ(guess(longer, {longer}), "-");
}

}  // namespace
}  // namespace stepwell
