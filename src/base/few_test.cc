#include "stepwell/base/few.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepwell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kLong(100, 'x');

TEST(FewTest, OneItemLivesInside) {
  Few<std::uint64_t> few;
  EXPECT_EQ(sizeof few, 16);
  few.push_back(7);
  const auto* inside = reinterpret_cast<const char*>(&few);
  EXPECT_GE(reinterpret_cast<const char*>(few.begin()), inside);
  EXPECT_LT(reinterpret_cast<const char*>(few.begin()), inside + sizeof few);
}

TEST(FewTest, KeepsItemsInOrderHoweverMany) {
  Few<std::string> few;
  std::vector<std::string> same;
  for (int i = 0; i < 100; ++i) {
    few.push_back(kLong + std::to_string(i));
    same.push_back(kLong + std::to_string(i));
    ASSERT_THAT(few, ::testing::ElementsAreArray(same));
  }
  while (!same.empty()) {
    EXPECT_EQ(few.back(), same.back());
    few.pop_back();
    same.pop_back();
  }
  EXPECT_TRUE(few.empty());
}

TEST(FewTest, ACopyIsItsOwn) {
  for (const Few<std::string>& original : {Few<std::string>{}, Few<std::string>{kLong}, Few<std::string>{kLong, "b"}}) {
    Few<std::string> copy = original;
    EXPECT_EQ(copy, original);
    copy.push_back("more");
    EXPECT_NE(copy, original);
    EXPECT_LT(original, copy);
    copy = original;
    EXPECT_EQ(copy, original);
  }
}

TEST(FewTest, WhatIsMovedFromIsEmptyAndCanBeUsed) {
  for (std::size_t size : {0, 1, 2, 5}) {
    Few<std::string> from;
    for (std::size_t i = 0; i < size; ++i) from.push_back(kLong);
    Few<std::string> to{"before", "and more"};
    to = std::move(from);
    EXPECT_EQ(to.size(), size);
    EXPECT_THAT(from, IsEmpty());  // NOLINT(bugprone-use-after-move)
    from.push_back("again");
    EXPECT_THAT(from, ElementsAre("again"));
  }
}

TEST(FewTest, AnItemOfItsOwnCanBeAddedWhileItGrows) {
  Few<std::string> few{kLong};
  few.push_back(few.front());
  EXPECT_THAT(few, ElementsAre(kLong, kLong));
}

TEST(FewTest, HoldsWhatCannotBeCopied) {
  Few<std::unique_ptr<int>> few;
  few.push_back(std::make_unique<int>(1));
  few.push_back(std::make_unique<int>(2));
  few.clear();
  EXPECT_TRUE(few.empty());
}

}  // namespace
}  // namespace stepwell
