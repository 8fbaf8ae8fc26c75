#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/base/duration.h"
#include "stepwell/base/text_error.h"

namespace stepwell {

// A point in time: whole microseconds since 1970-01-01T00:00:00Z, without leap seconds. Always within the years 0000 to
// 9999 UTC, so that every instant can be written as RFC 3339. Microseconds, because nanoseconds in 64 bits end in 2262
// and "9999-12-31" is how much of the world writes "never".
class Instant {
 public:
  static constexpr std::int64_t kFirstMicros = -62'167'219'200'000'000;  // 0000-01-01T00:00:00Z
  static constexpr std::int64_t kLastMicros = 253'402'300'799'999'999;   // 9999-12-31T23:59:59.999999Z

  constexpr Instant() = default;
  // Nothing if outside the range.
  static constexpr std::optional<Instant> from_micros(std::int64_t micros) {
    if (micros < kFirstMicros || micros > kLastMicros) return std::nullopt;
    return Instant(micros);
  }

  // Reads RFC 3339 with any offset: `2026-01-02T03:04:05.123+01:00`. Up to nine digits of fraction are accepted and cut
  // to microseconds. A leap second, 23:59:60 UTC, is the first second of the next day.
  static std::expected<Instant, TextError> parse(std::string_view text);

  // RFC 3339 in UTC, with as much fraction as there is: `2026-01-02T03:04:05Z`, `2026-01-02T03:04:05.25Z`.
  std::string str() const;

  constexpr std::int64_t micros() const { return micros_; }

  friend constexpr auto operator<=>(Instant, Instant) = default;
  // Always fits.
  friend constexpr Duration operator-(Instant a, Instant b) { return Duration::micros(a.micros_ - b.micros_); }

 private:
  explicit constexpr Instant(std::int64_t micros) : micros_(micros) {}
  std::int64_t micros_ = 0;
};

// Each answers nothing if the result is outside the range.
std::optional<Instant> checked_add(Instant instant, Duration duration);
std::optional<Instant> checked_sub(Instant instant, Duration duration);

}  // namespace stepwell
