#include "stepwell/base/duration.h"

#include <array>
#include <cmath>
#include <limits>

#include "stepwell/base/ascii.h"

namespace stepwell {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;

struct Unit {
  std::string_view name;
  std::int64_t micros;
};
constexpr std::array<Unit, 6> kUnits = {{{"d", 86'400 * kMicrosPerSecond},
                                         {"h", 3'600 * kMicrosPerSecond},
                                         {"m", 60 * kMicrosPerSecond},
                                         {"s", kMicrosPerSecond},
                                         {"ms", 1'000},
                                         {"us", 1}}};

// Wide enough for a sum of products of a number as written and a unit.
using Wide = __int128;
constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min();
constexpr Wide kMostDigits = Wide{1'000'000'000'000} * 1'000'000'000'000;

// `1.25` is 125 over 100.
struct Decimal {
  Wide digits = 0;
  Wide scale = 1;
};

class DurationParser {
 public:
  explicit DurationParser(std::string_view text) : text_(text) {}

  std::expected<Duration, TextError> run() {
    const bool negative = !text_.empty() && text_[0] == '-';
    if (negative) ++at_;
    if (!parts()) return std::unexpected(std::move(error_));
    const Wide total = negative ? -total_ : total_;
    if (total > kMost || total < kLeast) {
      fail(0, "longer than 292 000 years");
      return std::unexpected(std::move(error_));
    }
    return Duration::micros(static_cast<std::int64_t>(total));
  }

 private:
  bool parts() {
    const std::size_t first = at_;
    std::size_t next_unit = 0;
    do {
      const std::size_t start = at_;
      Decimal number;
      if (!decimal(number)) return false;
      if (start == first && at_ == text_.size()) return add(number, kMicrosPerSecond, start);
      const std::size_t unit = unit_from(next_unit);
      if (unit == kUnits.size()) return false;
      next_unit = unit + 1;
      if (!add(number, kUnits[unit].micros, start)) return false;
    } while (at_ < text_.size());
    return true;
  }

  bool decimal(Decimal& out) {
    if (!digits(out, false)) return false;
    if (at_ == text_.size() || text_[at_] != '.') return true;
    ++at_;
    return digits(out, true);
  }

  bool digits(Decimal& out, bool fraction) {
    const std::size_t start = at_;
    for (; at_ < text_.size() && is_ascii_digit(text_[at_]); ++at_) {
      out.digits = out.digits * 10 + (text_[at_] - '0');
      if (fraction) out.scale *= 10;
      if (out.digits > kMostDigits || out.scale > kMostDigits) return fail(start, "too many digits");
    }
    return at_ > start || fail(at_, "expected a number; write for example 1h30m, 500ms or 90");
  }

  // The unit at the current place, as an index into kUnits not before `first`; kUnits.size() if there is none.
  std::size_t unit_from(std::size_t first) {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_ascii_letter(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    for (std::size_t i = 0; i < kUnits.size(); ++i) {
      if (kUnits[i].name != name) continue;
      if (i >= first) return i;
      fail(start, "each unit comes once, in the order d h m s ms us");
      return kUnits.size();
    }
    fail(start, "expected a unit: d, h, m, s, ms or us");
    return kUnits.size();
  }

  bool add(const Decimal& number, std::int64_t unit, std::size_t start) {
    const Wide scaled = number.digits * unit;
    if (scaled % number.scale != 0) return fail(start, "finer than a microsecond");
    total_ += scaled / number.scale;
    return true;
  }

  bool fail(std::size_t at, std::string_view what) {
    error_ = {at, "bad duration '" + std::string(text_) + "' at " + std::to_string(at) + ": " + std::string(what)};
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Wide total_ = 0;
  TextError error_;
};

// The seconds, with as many decimals as they need.
std::string decimal_seconds(std::uint64_t micros) {
  std::string out = std::to_string(micros / kMicrosPerSecond);
  std::uint64_t rest = micros % kMicrosPerSecond;
  if (rest != 0) out += '.';
  for (std::uint64_t place = kMicrosPerSecond / 10; rest != 0; place /= 10) {
    out += static_cast<char>('0' + rest / place);
    rest %= place;
  }
  return out + 's';
}

std::optional<Duration> fitting(Wide micros) {
  if (micros > kMost || micros < kLeast) return std::nullopt;
  return Duration::micros(static_cast<std::int64_t>(micros));
}

}  // namespace

std::optional<Duration> Duration::seconds(std::int64_t count) { return fitting(Wide{count} * kMicrosPerSecond); }

std::optional<Duration> Duration::seconds(double count) {
  const double micros = std::round(count * static_cast<double>(kMicrosPerSecond));
  constexpr double kBound = 9223372036854775808.0;  // 2^63
  if (!(micros >= -kBound && micros < kBound)) return std::nullopt;
  return Duration(static_cast<std::int64_t>(micros));
}

std::expected<Duration, TextError> Duration::parse(std::string_view text) { return DurationParser(text).run(); }

std::string Duration::str() const {
  std::string out = micros_ < 0 ? "-" : "";
  // The magnitude as unsigned, because the least duration has no positive twin.
  std::uint64_t rest = micros_ < 0 ? 0 - static_cast<std::uint64_t>(micros_) : static_cast<std::uint64_t>(micros_);
  if (rest == 0) return "0s";
  if (rest < 1'000) return out + std::to_string(rest) + "us";
  if (rest < kMicrosPerSecond && rest % 1'000 == 0) return out + std::to_string(rest / 1'000) + "ms";
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t unit = static_cast<std::uint64_t>(kUnits[i].micros);
    if (rest >= unit) out += std::to_string(rest / unit) + std::string(kUnits[i].name);
    rest %= unit;
  }
  if (rest != 0) out += decimal_seconds(rest);
  return out;
}

std::optional<Duration> checked_add(Duration a, Duration b) { return fitting(Wide{a.micros()} + b.micros()); }
std::optional<Duration> checked_sub(Duration a, Duration b) { return fitting(Wide{a.micros()} - b.micros()); }
std::optional<Duration> checked_mul(Duration duration, std::int64_t times) {
  return fitting(Wide{duration.micros()} * times);
}

}  // namespace stepwell
