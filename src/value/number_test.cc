#include "stepwell/value/number.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace stepwell {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kTwo53 = std::int64_t{1} << 53;

using Wide = __int128;

// Small numbers, all numbers, and the edges, where mistakes live.
rc::Gen<std::int64_t> integers() {
  const std::vector<std::int64_t> edges = {kLeast, kLeast + 1, -1, 0, 1, kMost - 1, kMost, kTwo53, kTwo53 + 1};
  return rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-20, 20), rc::gen::arbitrary<std::int64_t>(),
                        rc::gen::elementOf(edges));
}

// Whether a checked result is what arithmetic in 128 bits says.
bool agrees(std::optional<std::int64_t> checked, Wide exact) {
  return exact >= kLeast && exact <= kMost ? checked == static_cast<std::int64_t>(exact) : !checked;
}

TEST(NumberTest, IntegersAndRealsCompareExactly) {
  EXPECT_TRUE(compare(1, 1.0) == 0);
  EXPECT_TRUE(compare(0, -0.0) == 0);
  EXPECT_TRUE(compare(1, 1.5) < 0);
  EXPECT_TRUE(compare(-1, -1.5) > 0);
  EXPECT_TRUE(compare(0, -0.5) > 0);
  EXPECT_TRUE(compare(0, std::numeric_limits<double>::denorm_min()) < 0);
  EXPECT_TRUE(compare(kTwo53 + 1, 0x1p53) > 0);
  EXPECT_TRUE(compare(kMost, 0x1p63) < 0);
  EXPECT_TRUE(compare(kLeast, -0x1p63) == 0);
  EXPECT_TRUE(compare(kLeast, -1e300) > 0);
  EXPECT_TRUE(compare(kMost, 1e300) < 0);
}

RC_GTEST_PROP(NumberTest, ComparisonAgreesWithTheExactNumbers, ()) {
  const std::int64_t integer = *integers();
  const double near = static_cast<double>(integer);
  const double real = *rc::gen::element(near, std::nextafter(near, INFINITY), std::nextafter(near, -INFINITY));
  const long double exact_integer = static_cast<long double>(integer);  // 64 bits of mantissa hold both
  const long double exact_real = static_cast<long double>(real);
  RC_ASSERT((compare(integer, real) < 0) == (exact_integer < exact_real));
  RC_ASSERT((compare(integer, real) > 0) == (exact_integer > exact_real));
}

RC_GTEST_PROP(NumberTest, SumsAndProductsAgreeWithWideArithmetic, ()) {
  const std::int64_t a = *integers();
  const std::int64_t b = *integers();
  RC_ASSERT(agrees(checked_add(a, b), Wide{a} + b));
  RC_ASSERT(agrees(checked_sub(a, b), Wide{a} - b));
  RC_ASSERT(agrees(checked_mul(a, b), Wide{a} * b));
}

RC_GTEST_PROP(NumberTest, FloorDivisionAndModuloFitTogether, ()) {
  const std::int64_t dividend = *integers();
  const std::int64_t divisor = *rc::gen::suchThat(integers(), [](std::int64_t x) { return x != 0; });
  const std::int64_t rest = floor_mod(dividend, divisor);
  RC_ASSERT((divisor > 0 ? rest >= 0 && rest < divisor : rest <= 0 && rest > divisor));
  RC_ASSERT(agrees(checked_floor_div(dividend, divisor), (Wide{dividend} - rest) / divisor));
}

TEST(NumberTest, DivisionRoundsDown) {
  EXPECT_EQ(checked_floor_div(-7, 2), -4);
  EXPECT_EQ(checked_floor_div(7, -2), -4);
  EXPECT_EQ(checked_floor_div(kLeast, -1), std::nullopt);
  EXPECT_EQ(floor_mod(-7, 2), 1);
  EXPECT_EQ(floor_mod(7, -2), -1);
  EXPECT_EQ(floor_mod(kLeast, -1), 0);
  EXPECT_DEATH(floor_mod(1, 0), "bug in stepwell");
}

TEST(NumberTest, PowersStopExactlyAtTheEdge) {
  EXPECT_EQ(checked_pow(0, 0), 1);
  EXPECT_EQ(checked_pow(2, 62), std::int64_t{1} << 62);
  EXPECT_EQ(checked_pow(2, 63), std::nullopt);
  EXPECT_EQ(checked_pow(-2, 63), kLeast);
  EXPECT_EQ(checked_pow(10, 18), 1'000'000'000'000'000'000);
  EXPECT_EQ(checked_pow(10, 19), std::nullopt);
  EXPECT_EQ(checked_pow(-1, kMost), -1);
  EXPECT_EQ(checked_pow(kMost, 1), kMost);
  EXPECT_EQ(checked_pow(3, kMost), std::nullopt);
}

}  // namespace
}  // namespace stepwell
