#include "stepwell/base/instant.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace stepwell {
namespace {

std::string normal(std::string_view text) {
  auto instant = Instant::parse(text);
  return instant ? instant->str() : instant.error().message;
}

std::string instant_error(std::string_view text) {
  const std::string message = normal(text);
  return message.substr(0, message.find("; write"));
}

template <typename A, typename B>
concept Addable = requires(A a, B b) { a + b; } || requires(A a, B b) { checked_add(a, b); };
static_assert(Addable<Instant, Duration> && Addable<Duration, Duration>);
static_assert(!Addable<Instant, Instant> && !Addable<Duration, Instant> && !Addable<Instant, std::int64_t>);

TEST(InstantTest, AnyOffsetIsNormalisedToUtc) {
  EXPECT_EQ(normal("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05Z");
  EXPECT_EQ(normal("2026-01-02t03:04:05z"), "2026-01-02T03:04:05Z");
  EXPECT_EQ(normal("2026-01-01T00:30:00+01:00"), "2025-12-31T23:30:00Z");
  EXPECT_EQ(normal("2026-01-01T23:30:00-00:45"), "2026-01-02T00:15:00Z");
  EXPECT_EQ(Instant::parse("1970-01-01T00:00:00Z")->micros(), 0);
  EXPECT_EQ(Instant::parse("1969-12-31T23:59:59Z")->micros(), -1'000'000);
}

TEST(InstantTest, FractionIsKeptToTheMicrosecond) {
  EXPECT_EQ(normal("2026-01-02T03:04:05.250Z"), "2026-01-02T03:04:05.25Z");
  EXPECT_EQ(normal("2026-01-02T03:04:05.000001Z"), "2026-01-02T03:04:05.000001Z");
  EXPECT_EQ(normal("2026-01-02T03:04:05.999999999Z"), "2026-01-02T03:04:05.999999Z");
  EXPECT_EQ(normal("1969-12-31T23:59:59.5Z"), "1969-12-31T23:59:59.5Z");
  EXPECT_EQ(instant_error("2026-01-02T03:04:05.1234567890Z"),
            "bad instant '2026-01-02T03:04:05.1234567890Z' at 29: more than nine digits of fraction");
  EXPECT_EQ(instant_error("2026-01-02T03:04:05.Z"), "bad instant '2026-01-02T03:04:05.Z' at 20: expected a digit");
}

TEST(InstantTest, LeapDaysAndLeapSeconds) {
  EXPECT_EQ(normal("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00Z");
  EXPECT_EQ(normal("2000-02-29T00:00:00Z"), "2000-02-29T00:00:00Z");
  EXPECT_EQ(instant_error("2026-02-29T00:00:00Z"),
            "bad instant '2026-02-29T00:00:00Z' at 8: this month has no such day");
  EXPECT_EQ(instant_error("1900-02-29T00:00:00Z"),
            "bad instant '1900-02-29T00:00:00Z' at 8: this month has no such day");
  EXPECT_EQ(normal("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(normal("2017-01-01T00:59:60.5+01:00"), "2017-01-01T00:00:00.5Z");
  EXPECT_EQ(instant_error("2016-12-31T12:00:60Z"),
            "bad instant '2016-12-31T12:00:60Z' at 17: a second of 60 is only possible at 23:59 UTC");
}

TEST(InstantTest, ErrorsNameThePositionAndTheRemedy) {
  EXPECT_EQ(normal("tomorrow"),
            "bad instant 'tomorrow' at 0: expected a year of 4 digits, 0 to 9999; write for example "
            "2026-01-02T03:04:05Z");
  EXPECT_EQ(instant_error("2026-1-02"), "bad instant '2026-1-02' at 5: expected a month of 2 digits, 1 to 12");
  EXPECT_EQ(instant_error("2026-01-02"), "bad instant '2026-01-02' at 10: expected 'T'");
  EXPECT_EQ(instant_error("2026-01-02T24:00:00Z"),
            "bad instant '2026-01-02T24:00:00Z' at 11: expected an hour of 2 digits, 0 to 23");
  EXPECT_EQ(instant_error("2026-01-02T03:04:05"),
            "bad instant '2026-01-02T03:04:05' at 19: expected Z or an offset such as +01:00");
  EXPECT_EQ(instant_error("2026-01-02T03:04:05Z "), "bad instant '2026-01-02T03:04:05Z ' at 20: expected the end");
}

TEST(InstantTest, TheRangeIsTheYears0000To9999) {
  EXPECT_EQ(Instant::from_micros(Instant::kFirstMicros)->str(), "0000-01-01T00:00:00Z");
  EXPECT_EQ(Instant::from_micros(Instant::kLastMicros)->str(), "9999-12-31T23:59:59.999999Z");
  EXPECT_EQ(Instant::from_micros(Instant::kLastMicros + 1), std::nullopt);
  EXPECT_EQ(instant_error("0000-01-01T00:00:00+00:01"),
            "bad instant '0000-01-01T00:00:00+00:01' at 0: outside the years 0000 to 9999 UTC");
  EXPECT_EQ(instant_error("9999-12-31T23:59:60Z"),
            "bad instant '9999-12-31T23:59:60Z' at 0: outside the years 0000 to 9999 UTC");
}

TEST(InstantTest, ArithmeticIsChecked) {
  const Instant start = *Instant::parse("2024-02-28T12:00:00Z");
  const Instant end = *checked_add(start, *Duration::parse("2d"));
  EXPECT_EQ(end.str(), "2024-03-01T12:00:00Z");
  EXPECT_EQ((end - start).str(), "2d");
  EXPECT_EQ(checked_sub(end, end - start), start);
  EXPECT_LT(start, end);
  EXPECT_EQ(checked_add(start, *Duration::parse("10000000d")), std::nullopt);
  EXPECT_EQ(checked_sub(start, *Duration::parse("10000000d")), std::nullopt);
  EXPECT_EQ(checked_add(end, Duration::micros(INT64_MAX)), std::nullopt);
  EXPECT_EQ(checked_sub(start, Duration::micros(INT64_MIN)), std::nullopt);
}

RC_GTEST_PROP(InstantTest, WhatIsWrittenIsReadBack, ()) {
  const auto micros = *rc::gen::inRange(Instant::kFirstMicros, Instant::kLastMicros);
  const std::int64_t grain = *rc::gen::element<std::int64_t>(1, 1'000, 1'000'000, 86'400'000'000);
  const Instant instant = *Instant::from_micros(micros - micros % grain);
  const auto again = Instant::parse(instant.str());
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->micros() == instant.micros());
}

}  // namespace
}  // namespace stepwell
