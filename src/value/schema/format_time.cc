#include <optional>

#include "stepwell/value/schema/format_checks.h"

namespace stepwell::schema {

namespace {

// Takes what it recognises off the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // A number of exactly so many digits, within the bounds.
  std::optional<int> number(std::size_t digits, int least, int most) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    if (value < least || value > most) return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }

  bool skip_digits() {
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(digits);
    return digits > 0;
  }

  bool ended() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

int days_in_month(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

bool take_date(Cursor& in) {
  const auto year = in.number(4, 0, 9999);
  if (!year || !in.take('-')) return false;
  const auto month = in.number(2, 1, 12);
  return month && in.take('-') && in.number(2, 1, days_in_month(*year, *month));
}

// The minutes to take off local time to get UTC.
std::optional<int> take_offset(Cursor& in) {
  if (in.take('Z') || in.take('z')) return 0;
  const int sign = in.take('+') ? 1 : in.take('-') ? -1 : 0;
  if (sign == 0) return std::nullopt;
  const auto hours = in.number(2, 0, 23);
  if (!hours || !in.take(':')) return std::nullopt;
  const auto minutes = in.number(2, 0, 59);
  if (!minutes) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

bool take_time(Cursor& in) {
  const auto hour = in.number(2, 0, 23);
  if (!hour || !in.take(':')) return false;
  const auto minute = in.number(2, 0, 59);
  if (!minute || !in.take(':')) return false;
  const auto second = in.number(2, 0, 60);
  if (!second || (in.take('.') && !in.skip_digits())) return false;
  const auto offset = take_offset(in);
  if (!offset) return false;
  constexpr int kMinutesOfDay = 24 * 60;
  const int utc = (*hour * 60 + *minute - *offset + kMinutesOfDay) % kMinutesOfDay;
  return *second < 60 || utc == kMinutesOfDay - 1;
}

}  // namespace

bool is_date(std::string_view text) {
  Cursor in(text);
  return take_date(in) && in.ended();
}

bool is_time(std::string_view text) {
  Cursor in(text);
  return take_time(in) && in.ended();
}

bool is_date_time(std::string_view text) {
  Cursor in(text);
  return take_date(in) && (in.take('T') || in.take('t')) && take_time(in) && in.ended();
}

}  // namespace stepwell::schema
