#include "stepwell/base/instant.h"

#include <chrono>

#include "stepwell/base/ascii.h"

namespace stepwell {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kDay = 86'400 * kSecond;

class InstantParser {
 public:
  explicit InstantParser(std::string_view text) : text_(text) {}

  std::expected<Instant, TextError> run() {
    std::int64_t micros = 0;
    if (!(date(micros) && time(micros) && offset(micros) && leap_second(micros))) {
      return std::unexpected(std::move(error_));
    }
    if (at_ != text_.size()) {
      fail(at_, "expected the end");
      return std::unexpected(std::move(error_));
    }
    if (const auto instant = Instant::from_micros(micros)) return *instant;
    fail(0, "outside the years 0000 to 9999 UTC");
    return std::unexpected(std::move(error_));
  }

 private:
  bool date(std::int64_t& micros) {
    int year = 0, month = 0, day = 0;
    if (!(number(4, 0, 9999, "a year", year) && mark("-") && number(2, 1, 12, "a month", month) && mark("-"))) {
      return false;
    }
    const std::size_t start = at_;
    if (!number(2, 1, 31, "a day", day)) return false;
    const std::chrono::year_month_day civil(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                            std::chrono::day(static_cast<unsigned>(day)));
    if (!civil.ok()) return fail(start, "this month has no such day");
    micros = std::int64_t{std::chrono::sys_days(civil).time_since_epoch().count()} * kDay;
    return true;
  }

  bool time(std::int64_t& micros) {
    int hour = 0, minute = 0, second = 0;
    if (!(mark("Tt") && number(2, 0, 23, "an hour", hour) && mark(":") && number(2, 0, 59, "a minute", minute) &&
          mark(":"))) {
      return false;
    }
    seconds_at_ = at_;
    if (!number(2, 0, 60, "a second", second)) return false;
    is_leap_second_ = second == 60;
    micros += (hour * 60 + minute) * kMinute + second * kSecond;
    return fraction(micros);
  }

  bool fraction(std::int64_t& micros) {
    if (at_ == text_.size() || text_[at_] != '.') return true;
    const std::size_t start = ++at_;
    for (std::int64_t place = kSecond / 10; at_ < text_.size() && is_ascii_digit(text_[at_]); ++at_, place /= 10) {
      if (at_ - start == 9) return fail(at_, "more than nine digits of fraction");
      micros += (text_[at_] - '0') * place;
    }
    return at_ > start || fail(at_, "expected a digit");
  }

  bool offset(std::int64_t& micros) {
    const char sign = at_ < text_.size() ? text_[at_] : '\0';
    if (sign == 'Z' || sign == 'z') {
      ++at_;
      return true;
    }
    int hours = 0, minutes = 0;
    if (sign != '+' && sign != '-') return fail(at_, "expected Z or an offset such as +01:00");
    ++at_;
    if (!(number(2, 0, 23, "hours of the offset", hours) && mark(":") &&
          number(2, 0, 59, "minutes of the offset", minutes))) {
      return false;
    }
    const std::int64_t ahead = (hours * 60 + minutes) * kMinute;
    micros -= sign == '+' ? ahead : -ahead;
    return true;
  }

  // Whatever the offset, a leap second ends a day in UTC; counted as 60 it has already become the next day's first.
  bool leap_second(std::int64_t micros) {
    if (!is_leap_second_) return true;
    const std::int64_t into_day = ((micros % kDay) + kDay) % kDay;
    return into_day < kSecond || fail(seconds_at_, "a second of 60 is only possible at 23:59 UTC");
  }

  // Exactly `width` digits, as a number from `least` to `most`.
  bool number(std::size_t width, int least, int most, std::string_view what, int& out) {
    const std::size_t start = at_;
    out = 0;
    for (; at_ < text_.size() && at_ - start < width && is_ascii_digit(text_[at_]); ++at_) {
      out = out * 10 + (text_[at_] - '0');
    }
    if (at_ - start == width && out >= least && out <= most) return true;
    return fail(start, "expected " + std::string(what) + " of " + std::to_string(width) + " digits, " +
                           std::to_string(least) + " to " + std::to_string(most));
  }

  // One of `accepted`, named by its first.
  bool mark(std::string_view accepted) {
    if (at_ < text_.size() && accepted.find(text_[at_]) != accepted.npos) {
      ++at_;
      return true;
    }
    return fail(at_, "expected '" + std::string(accepted.substr(0, 1)) + "'");
  }

  bool fail(std::size_t at, std::string_view what) {
    error_ = {at, "bad instant '" + std::string(text_) + "' at " + std::to_string(at) + ": " + std::string(what) +
                      "; write for example 2026-01-02T03:04:05Z"};
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t seconds_at_ = 0;
  bool is_leap_second_ = false;
  TextError error_;
};

void append_padded(std::string& out, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  out.append(width - digits.size(), '0');
  out += digits;
}

}  // namespace

std::expected<Instant, TextError> Instant::parse(std::string_view text) { return InstantParser(text).run(); }

std::string Instant::str() const {
  const auto since_epoch = std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(micros_));
  const auto day = std::chrono::floor<std::chrono::days>(since_epoch);
  const std::chrono::year_month_day date(day);
  const std::int64_t into_day = (since_epoch - day).count();

  std::string out;
  append_padded(out, int{date.year()}, 4);
  append_padded(out += '-', unsigned{date.month()}, 2);
  append_padded(out += '-', unsigned{date.day()}, 2);
  append_padded(out += 'T', into_day / (60 * kMinute), 2);
  append_padded(out += ':', into_day / kMinute % 60, 2);
  append_padded(out += ':', into_day / kSecond % 60, 2);
  if (const std::int64_t fraction = into_day % kSecond; fraction != 0) {
    append_padded(out += '.', fraction, 6);
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out += 'Z';
}

std::optional<Instant> checked_add(Instant instant, Duration duration) {
  const auto sum = checked_add(Duration::micros(instant.micros()), duration);
  return sum ? Instant::from_micros(sum->micros()) : std::nullopt;
}

std::optional<Instant> checked_sub(Instant instant, Duration duration) {
  const auto difference = checked_sub(Duration::micros(instant.micros()), duration);
  return difference ? Instant::from_micros(difference->micros()) : std::nullopt;
}

}  // namespace stepwell
