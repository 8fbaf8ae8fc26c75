#include "stepwell/base/decimal.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace stepwell {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Decimal, ReadsTheNearestDouble) {
  EXPECT_EQ(read_decimal("0.1"), 0.1);
  EXPECT_EQ(read_decimal("-1.5e-3"), -0.0015);
  EXPECT_EQ(read_decimal("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(read_decimal("5e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(Decimal, TellsTooLargeFromTooSmall) {
  EXPECT_EQ(read_decimal("1e400"), kInfinity);
  EXPECT_EQ(read_decimal("-1E+400"), -kInfinity);
  EXPECT_EQ(read_decimal("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(read_decimal("-1e-400")));
  EXPECT_EQ(read_decimal("1e99999999999999999999"), kInfinity);
  EXPECT_EQ(read_decimal("1e-99999999999999999999"), 0.0);
}

TEST(Decimal, AnExponentAloneDoesNotDecide) {
  const std::string zeros(800, '0');
  EXPECT_EQ(read_decimal("1" + zeros + ".0e-1"), kInfinity);
  EXPECT_EQ(read_decimal("0." + zeros + "1e1"), 0.0);
  EXPECT_EQ(read_decimal("1" + zeros), kInfinity);
  EXPECT_EQ(read_decimal("0e400"), 0.0);
  EXPECT_EQ(read_decimal("1" + zeros + "e-800"), 1.0);
}

}  // namespace
}  // namespace stepwell
