#include "stepwell/base/byte_size.h"

#include <gtest/gtest.h>

namespace stepwell {
namespace {

TEST(ByteSizeTest, UnitsOfBothKinds) {
  EXPECT_EQ(parse_byte_size("0"), 0);
  EXPECT_EQ(parse_byte_size("512"), 512);
  EXPECT_EQ(parse_byte_size("512B"), 512);
  EXPECT_EQ(parse_byte_size("10MB"), 10'000'000);
  EXPECT_EQ(parse_byte_size("64KiB"), 65'536);
  EXPECT_EQ(parse_byte_size("3GiB"), 3'221'225'472);
}

TEST(ByteSizeTest, WhatIsNotASizeSaysWhere) {
  EXPECT_EQ(parse_byte_size("").error().at, 0u);
  EXPECT_EQ(parse_byte_size("-1").error().at, 0u);
  EXPECT_EQ(parse_byte_size("KiB").error().at, 0u);
  EXPECT_EQ(parse_byte_size("64kb").error().at, 2u);
  EXPECT_EQ(parse_byte_size("1.5MB").error().at, 1u);
  EXPECT_FALSE(parse_byte_size("9223372036854775807GiB").has_value());
  EXPECT_FALSE(parse_byte_size("99999999999999999999").has_value());
}

}  // namespace
}  // namespace stepwell
