#include "stepwell/base/duration.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace stepwell {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

std::int64_t micros(std::string_view text) { return Duration::parse(text).value().micros(); }

std::string duration_error(std::string_view text) {
  auto duration = Duration::parse(text);
  return duration ? "read as " + duration->str() : duration.error().message;
}

TEST(DurationTest, ReadsUnitsAndPlainSeconds) {
  EXPECT_EQ(micros("1h30m"), 5'400'000'000);
  EXPECT_EQ(micros("500ms"), 500'000);
  EXPECT_EQ(micros("1d"), 86'400'000'000);
  EXPECT_EQ(micros("90"), 90'000'000);
  EXPECT_EQ(micros("1.5"), 1'500'000);
  EXPECT_EQ(micros("-1.5h"), -5'400'000'000);
  EXPECT_EQ(micros("1d2h3m4s5ms6us"), 93'784'005'006);
  EXPECT_EQ(micros("0"), 0);
}

TEST(DurationTest, WritesOneSpelling) {
  EXPECT_EQ(Duration::micros(5'400'000'000).str(), "1h30m");
  EXPECT_EQ(Duration::micros(500'000).str(), "500ms");
  EXPECT_EQ(Duration::micros(250).str(), "250us");
  EXPECT_EQ(Duration::micros(62'500'000).str(), "1m2.5s");
  EXPECT_EQ(Duration::micros(1'001).str(), "0.001001s");
  EXPECT_EQ(Duration::micros(-86'400'000'000).str(), "-1d");
  EXPECT_EQ(Duration().str(), "0s");
}

TEST(DurationTest, ErrorsNameThePositionAndTheRemedy) {
  EXPECT_EQ(duration_error(""), "bad duration '' at 0: expected a number; write for example 1h30m, 500ms or 90");
  EXPECT_EQ(duration_error("-"), "bad duration '-' at 1: expected a number; write for example 1h30m, 500ms or 90");
  EXPECT_EQ(duration_error("soon"),
            "bad duration 'soon' at 0: expected a number; write for example 1h30m, 500ms or 90");
  EXPECT_EQ(duration_error("5 min"), "bad duration '5 min' at 1: expected a unit: d, h, m, s, ms or us");
  EXPECT_EQ(duration_error("1h30"), "bad duration '1h30' at 4: expected a unit: d, h, m, s, ms or us");
  EXPECT_EQ(duration_error("30m1h"), "bad duration '30m1h' at 4: each unit comes once, in the order d h m s ms us");
  EXPECT_EQ(duration_error("1s1s"), "bad duration '1s1s' at 3: each unit comes once, in the order d h m s ms us");
  EXPECT_EQ(duration_error("1."), "bad duration '1.' at 2: expected a number; write for example 1h30m, 500ms or 90");
  EXPECT_EQ(duration_error("0.0000001"), "bad duration '0.0000001' at 0: finer than a microsecond");
}

TEST(DurationTest, TheRangeIsKept) {
  EXPECT_EQ(micros("9223372036854.775807"), kMost);
  EXPECT_EQ(micros("-9223372036854.775808"), kLeast);
  EXPECT_EQ(duration_error("9223372036854.775808"),
            "bad duration '9223372036854.775808' at 0: longer than 292 000 years");
  EXPECT_EQ(duration_error("99999999999d"), "bad duration '99999999999d' at 0: longer than 292 000 years");
  EXPECT_EQ(duration_error("9999999999999999999999999"),
            "bad duration '9999999999999999999999999' at 0: too many digits");
}

TEST(DurationTest, ArithmeticIsChecked) {
  EXPECT_EQ(checked_add(Duration::micros(1), Duration::micros(2)), Duration::micros(3));
  EXPECT_EQ(checked_mul(Duration::micros(-3), 4), Duration::micros(-12));
  EXPECT_EQ(checked_add(Duration::micros(kMost), Duration::micros(1)), std::nullopt);
  EXPECT_EQ(checked_sub(Duration::micros(kLeast), Duration::micros(1)), std::nullopt);
  EXPECT_EQ(checked_mul(Duration::micros(kLeast), -1), std::nullopt);
  EXPECT_EQ(Duration::seconds(std::int64_t{10'000'000'000'000}), std::nullopt);
  EXPECT_EQ(Duration::seconds(1.0000004), Duration::micros(1'000'000));
  EXPECT_EQ(Duration::seconds(1e300), std::nullopt);
  EXPECT_EQ(Duration::seconds(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
}

RC_GTEST_PROP(DurationTest, WhatIsWrittenIsReadBack, (std::int64_t any)) {
  const std::int64_t count = *rc::gen::element(any, any % 1'000, any % 1'000'000, kMost, kLeast);
  const auto again = Duration::parse(Duration::micros(count).str());
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->micros() == count);
}

}  // namespace
}  // namespace stepwell
