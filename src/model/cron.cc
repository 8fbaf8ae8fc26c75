#include "stepwell/model/cron.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "stepwell/base/nearest.h"

namespace stepwell {
namespace {

constexpr std::size_t kMinute = 0, kHour = 1, kDay = 2, kMonth = 3, kWeekday = 4;  // places of the fields

constexpr auto kMonths = std::to_array<std::string_view>(
    {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"});
constexpr auto kWeekdays = std::to_array<std::string_view>({"sun", "mon", "tue", "wed", "thu", "fri", "sat"});

struct FieldForm {
  std::string_view name;
  unsigned low;
  unsigned high;
  std::span<const std::string_view> words;  // of its values, from the lowest
};

constexpr std::array<FieldForm, 5> kForms = {{
    {"minute", 0, 59, {}},
    {"hour", 0, 23, {}},
    {"day", 1, 31, {}},
    {"month", 1, 12, kMonths},
    {"weekday", 0, 6, kWeekdays},
}};

constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
    {"@annually", "0 0 1 1 *"}, {"@daily", "0 0 * * *"},  {"@hourly", "0 * * * *"}, {"@midnight", "0 0 * * *"},
    {"@monthly", "0 0 1 * *"},  {"@weekly", "0 0 * * 0"}, {"@yearly", "0 0 1 1 *"},
};

constexpr std::array<unsigned, 12> kMonthDays = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

std::uint64_t bit(unsigned value) { return std::uint64_t{1} << value; }

bool has(std::uint64_t values, unsigned value) { return (values & bit(value)) != 0; }

std::uint64_t all_of(const FieldForm& form) { return (bit(form.high + 1) - 1) & ~(bit(form.low) - 1); }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

// Reads one field. The first thing that is wrong is kept.
class FieldReader {
 public:
  FieldReader(const FieldForm& form, std::string_view text, std::size_t at) : form_(form), text_(text), at_(at) {}

  std::expected<std::uint64_t, CronError> read() {
    std::uint64_t values = 0;
    std::size_t from = 0;
    while (!error_) {
      const std::size_t comma = text_.find(',', from);
      values |= part(text_.substr(from, comma - from), at_ + from);
      if (comma == std::string_view::npos) break;
      from = comma + 1;
    }
    if (error_) return std::unexpected(*std::move(error_));
    return values;
  }

 private:
  std::uint64_t refuse(std::size_t at, std::string message, std::string hint = {}) {
    if (!error_) error_ = CronError{at, std::move(message), std::move(hint)};
    return 0;
  }

  std::uint64_t part(std::string_view part, std::size_t at) {
    const std::size_t slash = part.find('/');
    const std::string_view range = part.substr(0, slash);
    const std::size_t dash = range.find('-');
    unsigned low = form_.low;
    unsigned high = form_.high;
    if (range != "*") {
      low = high = value(range.substr(0, dash), at);
      if (dash != std::string_view::npos) high = value(range.substr(dash + 1), at + dash + 1);
    }
    if (error_) return 0;
    // A week may end with Sunday.
    const bool weekday = form_.name == "weekday";
    if (weekday && dash != std::string_view::npos && high == 0 && low > 0) high = 7;
    if (low > high) {
      return refuse(at, fmt::format("{} range '{}' runs backwards", form_.name, range),
                    "split it in two, with a comma");
    }
    unsigned step = 1;
    if (slash != std::string_view::npos) {
      if (range != "*" && dash == std::string_view::npos) {
        return refuse(at, fmt::format("{} '{}' has a step but no range", form_.name, part),
                      fmt::format("write {}-{}/{}", range, form_.high, part.substr(slash + 1)));
      }
      step = number(fmt::format("{} step", form_.name), part.substr(slash + 1), at + slash + 1, {1, form_.high});
    }
    if (error_) return 0;
    std::uint64_t values = 0;
    for (unsigned each = low; each <= high; each += step) values |= bit(weekday ? each % 7 : each);
    return values;
  }

  unsigned value(std::string_view text, std::size_t at) {
    const auto word = std::ranges::find(form_.words, lower(text));
    if (word != form_.words.end()) return form_.low + static_cast<unsigned>(word - form_.words.begin());
    const bool letters = !text.empty() && !form_.words.empty() && (text[0] < '0' || text[0] > '9');
    if (letters) {
      const auto meant = nearest(text, form_.words);
      refuse(at, fmt::format("{} cannot be '{}'", form_.name, text),
             meant ? fmt::format("did you mean '{}'?", *meant) : "");
      return 0;
    }
    const unsigned highest = form_.name == "weekday" ? 7 : form_.high;
    return number(form_.name, text, at, {form_.low, highest});
  }

  struct Range {
    unsigned low;
    unsigned high;
  };
  unsigned number(std::string_view what, std::string_view text, std::size_t at, Range range) {
    unsigned number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = end == text.data() + text.size() && problem == std::errc();
    if (whole && number >= range.low && number <= range.high) return number;
    refuse(at, fmt::format("{} cannot be '{}': it is from {} to {}", what, text, range.low, range.high));
    return 0;
  }

  const FieldForm& form_;
  std::string_view text_;
  std::size_t at_;
  std::optional<CronError> error_;
};

std::expected<std::string_view, CronError> expanded(std::string_view text) {
  const auto known = std::ranges::find(kNamed, lower(text), [](const auto& each) { return each.first; });
  if (known != std::end(kNamed)) return known->second;
  std::vector<std::string_view> words;
  for (const auto& each : kNamed) words.push_back(each.first);
  const auto meant = nearest(text, words);
  return std::unexpected(CronError{0, fmt::format("there is no '{}'", text),
                                   meant ? fmt::format("did you mean '{}'?", *meant)
                                         : fmt::format("write five fields, or one of {}", fmt::join(words, ", "))});
}

std::string field_text(std::uint64_t values, const FieldForm& form) {
  if (values == all_of(form)) return "*";
  std::string out;
  for (unsigned first = form.low; first <= form.high; ++first) {
    if (!has(values, first)) continue;
    unsigned last = first;
    while (last < form.high && has(values, last + 1)) ++last;
    out += fmt::format("{}{}", out.empty() ? "" : ",", first);
    if (last > first) out += fmt::format("{}{}", last == first + 1 ? ',' : '-', last);
    first = last;
  }
  return out;
}

// Where each field begins, and its text.
std::vector<std::pair<std::size_t, std::string_view>> split(std::string_view text) {
  std::vector<std::pair<std::size_t, std::string_view>> fields;
  constexpr std::string_view kSpace = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    fields.emplace_back(at, text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return fields;
}

}  // namespace

std::expected<Cron, CronError> Cron::parse(std::string_view text) {
  auto fields = split(text);
  if (fields.size() == 1 && fields[0].second.starts_with('@')) {
    const auto meaning = expanded(fields[0].second);
    if (!meaning) return std::unexpected(meaning.error());
    fields = split(*meaning);
  }
  if (fields.size() != kForms.size()) {
    return std::unexpected(CronError{0, fmt::format("cron has five fields, not {}", fields.size()),
                                     "they are minute, hour, day, month and weekday, as in '30 4 * * 1-5'"});
  }
  Cron cron;
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    const auto values = FieldReader(kForms[i], fields[i].second, fields[i].first).read();
    if (!values) return std::unexpected(values.error());
    cron.fields_[i] = *values;
  }
  const auto possible = [&](unsigned month) {
    const std::uint64_t its_days = bit(kMonthDays[month - 1] + 1) - 1;
    return has(cron.fields_[kMonth], month) && (cron.fields_[kDay] & its_days) != 0;
  };
  bool ever = cron.fields_[kWeekday] != all_of(kForms[kWeekday]);
  for (unsigned month = 1; month <= kMonthDays.size(); ++month) ever = ever || possible(month);
  if (ever) return cron;
  return std::unexpected(CronError{fields[kDay].first, "no month that it names has such a day", ""});
}

std::string Cron::str() const {
  std::string out;
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if (i > 0) out += ' ';
    out += field_text(fields_[i], kForms[i]);
  }
  return out;
}

bool Cron::matches(unsigned minute, unsigned hour, unsigned day, unsigned month, unsigned weekday) const {
  const bool any_day = fields_[kDay] == all_of(kForms[kDay]);
  const bool any_weekday = fields_[kWeekday] == all_of(kForms[kWeekday]);
  const bool on_day = has(fields_[kDay], day);
  const bool on_weekday = has(fields_[kWeekday], weekday);
  const bool date = any_day || any_weekday ? on_day && on_weekday : on_day || on_weekday;
  return has(fields_[kMinute], minute) && has(fields_[kHour], hour) && has(fields_[kMonth], month) && date;
}

}  // namespace stepwell
