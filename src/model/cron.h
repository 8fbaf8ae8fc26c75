#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace stepwell {

// Why a text is no cron expression.
struct CronError {
  std::size_t at = 0;   // byte offset in the text
  std::string message;  // "hour cannot be 24: it is from 0 to 23"
  std::string hint;     // what to write instead; may be empty
};

// When something recurs, to the minute, on the clock of some time zone.
//   cron  = minute hour day month weekday | "@" word
//   field = part *("," part)
//   part  = "*" | "*/" step | value | value "-" value ["/" step]
// Months and weekdays may be words (jan, mon), Sunday is 0 or 7. If both days and weekdays are restricted, one of them
// must match; a field that lists all its values is not restricted, however it is written.
class Cron {
 public:
  // Refuses also what can never be, such as the 30th of February.
  static std::expected<Cron, CronError> parse(std::string_view text);

  // Five fields, the shortest that mean the same: one text for each meaning, which parse() reads back.
  std::string str() const;

  // Whether the clock can show it: `weekday` is that of the date, from 0 for Sunday; days and months count from 1.
  bool matches(unsigned minute, unsigned hour, unsigned day, unsigned month, unsigned weekday) const;

  friend bool operator==(const Cron&, const Cron&) = default;

 private:
  Cron() = default;

  std::array<std::uint64_t, 5> fields_ = {};  // of each a bit per value
};

}  // namespace stepwell
