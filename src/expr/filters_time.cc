#include "stepwell/expr/filters_time.h"

#include <array>
#include <chrono>

#include <fmt/format.h>

#include "stepwell/base/duration.h"
#include "stepwell/base/instant.h"
#include "stepwell/expr/arguments.h"
#include "stepwell/expr/operators.h"

namespace stepwell {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;

std::unexpected<Fault> out_of_range(std::string_view what, const Value& value) {
  return fault(FaultCode::overflow, fmt::format("{} {} is out of range", what, shown(value)));
}

OrFault<Duration> duration_from(const Value& value) {
  if (value.is_text()) {
    const auto duration = Duration::parse(value.as_text());
    if (!duration) return fault(FaultCode::value, duration.error().message);
    return *duration;
  }
  std::optional<Duration> duration;
  if (value.is_int()) {
    duration = Duration::seconds(value.as_int());
  } else if (value.is_real()) {
    duration = Duration::seconds(value.as_real());
  } else {
    return wrong_kind("a duration", "text such as 1h30m or a number of seconds", value);
  }
  if (!duration) return out_of_range("the duration", value);
  return *duration;
}

OrFault<Instant> instant_from(const Value& value) {
  if (value.is_text()) {
    constexpr std::size_t kDateSize = 10;
    const bool date_only = value.as_text().size() == kDateSize;
    const auto instant =
        date_only ? Instant::parse(fmt::format("{}T00:00:00Z", value.as_text())) : Instant::parse(value.as_text());
    if (!instant) return fault(FaultCode::value, instant.error().message);
    return *instant;
  }
  if (!value.is_int() && !value.is_real())
    return wrong_kind("an instant", "RFC 3339 text or a number of seconds since 1970", value);
  const auto since = duration_from(value);
  if (!since) return std::unexpected(since.error());
  const auto instant = Instant::from_micros(since->micros());
  if (!instant) return out_of_range("the instant", value);
  return *instant;
}

Value seconds_of(std::int64_t micros) {
  if (micros % kMicrosPerSecond == 0) return micros / kMicrosPerSecond;
  return static_cast<double>(micros) / kMicrosPerSecond;
}

OrFault<Value> moved(Call& call, std::optional<Instant> (*move)(Instant, Duration)) {
  const auto instant = instant_from(call[0]);
  if (!instant) return std::unexpected(instant.error());
  const auto duration = duration_from(call[1]);
  if (!duration) return std::unexpected(duration.error());
  const auto result = move(*instant, *duration);
  if (!result) return out_of_range("what comes of the instant", call[0]);
  return Value(result->str());
}

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

// One instant in the parts that a calendar has.
struct Calendar {
  explicit Calendar(Instant instant)
      : days(std::chrono::floor<std::chrono::days>(std::chrono::sys_time(std::chrono::microseconds(instant.micros())))),
        date(days),
        time(std::chrono::microseconds(instant.micros()) - days.time_since_epoch()) {}

  std::chrono::sys_days days;
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::microseconds> time;

  int year() const { return static_cast<int>(date.year()); }
  unsigned month() const { return static_cast<unsigned>(date.month()); }
  unsigned day() const { return static_cast<unsigned>(date.day()); }
  long hour12() const { return (time.hours().count() + 11) % 12 + 1; }
  unsigned weekday() const { return std::chrono::weekday(days).c_encoding(); }
  long day_of_year() const { return (days - std::chrono::sys_days(date.year() / 1 / 1)).count() + 1; }
};

// What stands for %c; nothing if the letter means nothing.
std::optional<std::string> calendar_part(char c, const Calendar& at) {
  switch (c) {
    case 'Y': return fmt::format("{:04}", at.year());
    case 'y': return fmt::format("{:02}", at.year() % 100);
    case 'm': return fmt::format("{:02}", at.month());
    case 'd': return fmt::format("{:02}", at.day());
    case 'e': return fmt::format("{:2}", at.day());
    case 'j': return fmt::format("{:03}", at.day_of_year());
    case 'H': return fmt::format("{:02}", at.time.hours().count());
    case 'I': return fmt::format("{:02}", at.hour12());
    case 'M': return fmt::format("{:02}", at.time.minutes().count());
    case 'S': return fmt::format("{:02}", at.time.seconds().count());
    case 'f': return fmt::format("{:06}", at.time.subseconds().count());
    case 'p': return at.time.hours().count() < 12 ? "AM" : "PM";
    case 'a': return std::string(kDays[at.weekday()].substr(0, 3));
    case 'A': return std::string(kDays[at.weekday()]);
    case 'b': return std::string(kMonths[at.month() - 1].substr(0, 3));
    case 'B': return std::string(kMonths[at.month() - 1]);
    case 'u': return fmt::format("{}", (at.weekday() + 6) % 7 + 1);
    case 'w': return fmt::format("{}", at.weekday());
    case 'F': return fmt::format("{:04}-{:02}-{:02}", at.year(), at.month(), at.day());
    case 'T':
      return fmt::format("{:02}:{:02}:{:02}", at.time.hours().count(), at.time.minutes().count(),
                         at.time.seconds().count());
    case 'z': return "+0000";
    case 'Z': return "UTC";
    case '%': return "%";
    default: return std::nullopt;
  }
}

}  // namespace

OrFault<Value> filter_datetime(Call& call) {
  const auto instant = instant_from(call[0]);
  if (!instant) return std::unexpected(instant.error());
  return Value(instant->str());
}

OrFault<Value> filter_datetime_add(Call& call) { return moved(call, checked_add); }
OrFault<Value> filter_datetime_sub(Call& call) { return moved(call, checked_sub); }

OrFault<Value> filter_datetime_diff(Call& call) {
  const auto instant = instant_from(call[0]);
  if (!instant) return std::unexpected(instant.error());
  const auto other = instant_from(call[1]);
  if (!other) return std::unexpected(other.error());
  return seconds_of((*instant - *other).micros());
}

OrFault<Value> filter_duration(Call& call) {
  const auto duration = duration_from(call[0]);
  if (!duration) return std::unexpected(duration.error());
  return seconds_of(duration->micros());
}

OrFault<Value> filter_strftime(Call& call) {
  const auto instant = instant_from(call[0]);
  if (!instant) return std::unexpected(instant.error());
  const auto format = text_only(call[1], "format");
  if (!format) return std::unexpected(format.error());
  constexpr std::size_t kLongestPart = 10;
  if (auto allowed = call.budget.spend_text(format->size() * kLongestPart); !allowed)
    return std::unexpected(allowed.error());
  const Calendar calendar(*instant);
  std::string out;
  for (std::size_t at = 0; at < format->size(); ++at) {
    if ((*format)[at] != '%') {
      out += (*format)[at];
      continue;
    }
    const auto part = ++at < format->size() ? calendar_part((*format)[at], calendar) : std::nullopt;
    if (!part)
      return fault(FaultCode::value,
                   fmt::format("{} has an unknown part; known are %Y %y %m %d %e %j %H %I %M %S %f %p %a %A %b %B %u "
                               "%w %F %T %z %Z %%",
                               shown(call[1])));
    out += *part;
  }
  return Value(out);
}

OrFault<Value> filter_timestamp(Call& call) {
  const auto instant = instant_from(call[0]);
  if (!instant) return std::unexpected(instant.error());
  return seconds_of(instant->micros());
}

}  // namespace stepwell
