#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/base/text_error.h"

namespace stepwell {

// A span of time in whole microseconds, forwards or backwards, up to about 292 000 years. A day is 24 hours.
class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration micros(std::int64_t count) { return Duration(count); }
  // Nothing if it does not fit. The real one is rounded to the nearest microsecond.
  static std::optional<Duration> seconds(std::int64_t count);
  static std::optional<Duration> seconds(double count);

  // Reads `1h30m`, `500ms`, `1d`, `-2s`, or plain seconds: `90`, `1.5`.
  //   duration = ["-"] (number | 1*(number unit)), each unit at most once and in the order d h m s ms us
  //   number   = digits ["." digits]
  // What is finer than a microsecond is refused, not rounded.
  static std::expected<Duration, TextError> parse(std::string_view text);

  // One spelling for each duration, which parse() reads back: `1h30m`, `500ms`, `1m2.5s`, `0s`.
  std::string str() const;

  constexpr std::int64_t micros() const { return micros_; }

  friend constexpr auto operator<=>(Duration, Duration) = default;

 private:
  explicit constexpr Duration(std::int64_t micros) : micros_(micros) {}
  std::int64_t micros_ = 0;
};

// Each answers nothing if the result does not fit.
std::optional<Duration> checked_add(Duration a, Duration b);
std::optional<Duration> checked_sub(Duration a, Duration b);
std::optional<Duration> checked_mul(Duration duration, std::int64_t times);

}  // namespace stepwell
