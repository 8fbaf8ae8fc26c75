#include "stepwell/base/rng.h"

#include <bit>
#include <set>

#include <gtest/gtest.h>

namespace stepwell {
namespace {

constexpr Entropy kEntropy = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// These values are in journals: if this test fails, replay is broken, not the test.
TEST(RngTest, ValuesNeverChange) {
  EXPECT_EQ(random_bits(kEntropy, 0).high, 0xA7C18A90A8E461B1u);
  EXPECT_EQ(random_bits(kEntropy, 0).low, 0x5E803D4324534BCDu);
  EXPECT_EQ(uuid_from(kEntropy, 0), "a7c18a90-a8e4-41b1-97a0-0f50c914d2f3");
  EXPECT_EQ(uuid_from(kEntropy, 1), "b235bc81-c74a-4db3-b58d-637b482505c1");
}

TEST(RngTest, UuidsHaveTheShapeOfVersion4AndDiffer) {
  std::set<std::string> seen;
  for (std::uint64_t draw = 0; draw < 10'000; ++draw) {
    const std::string uuid = uuid_from(kEntropy, draw);
    ASSERT_EQ(uuid.size(), 36u);
    ASSERT_EQ(uuid[14], '4');
    ASSERT_NE(std::string("89ab").find(uuid[19]), std::string::npos) << uuid;
    ASSERT_TRUE(seen.insert(uuid).second) << uuid;
  }
}

TEST(RngTest, EveryBitOfTheEntropyChangesAboutHalfOfTheResult) {
  const RandomBits before = random_bits(kEntropy, 0);
  for (std::size_t bit = 0; bit < 128; ++bit) {
    Entropy changed = kEntropy;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ 1u << bit % 8);
    const RandomBits after = random_bits(changed, 0);
    const int flipped = std::popcount(before.high ^ after.high) + std::popcount(before.low ^ after.low);
    EXPECT_GT(flipped, 36) << bit;  // 64 give or take five standard deviations
    EXPECT_LT(flipped, 92) << bit;
  }
}

TEST(RngTest, UnitAndBelowSpreadEvenly) {
  std::array<int, 10> units = {};
  std::array<int, 10> below = {};
  for (std::uint64_t draw = 0; draw < 10'000; ++draw) {
    const double unit = random_unit(kEntropy, draw);
    ASSERT_TRUE(unit >= 0 && unit < 1);
    ++units[static_cast<std::size_t>(unit * 10)];
    ++below[random_below(kEntropy, draw, 10)];
  }
  for (int count : units) EXPECT_NEAR(count, 1'000, 150);
  for (int count : below) EXPECT_NEAR(count, 1'000, 150);
  EXPECT_EQ(random_below(kEntropy, 7, 1), 0u);
}

}  // namespace
}  // namespace stepwell
