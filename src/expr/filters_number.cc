#include "stepwell/expr/filters_number.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "stepwell/expr/arguments.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/round.h"
#include "stepwell/expr/text_number.h"
#include "stepwell/value/number.h"

namespace stepwell {
namespace {

std::unexpected<Fault> beyond_64_bits(const Value& value) {
  return fault(FaultCode::overflow, fmt::format("the whole number of {} does not fit 64 bits", shown(value)));
}

OrFault<Value> finite(double real, const Value& from) {
  if (!std::isfinite(real)) return fault(FaultCode::overflow, fmt::format("{} is not a finite number", shown(from)));
  return Value(real);
}

// Towards zero.
OrFault<Value> whole_of(double real, const Value& from) {
  const double whole = std::trunc(real);
  if (!(whole >= -0x1p63 && whole < 0x1p63)) return beyond_64_bits(from);
  return static_cast<std::int64_t>(whole);
}

// A number as a double; nothing for other kinds.
std::optional<double> as_double(const Value& value) {
  if (value.is_real()) return value.as_real();
  if (value.is_int()) return static_cast<double>(value.as_int());
  if (value.is_bool()) return value.as_bool() ? 1.0 : 0.0;
  return std::nullopt;
}

OrFault<Value> text_to_int(const Value& text, const Value& base, const Value& otherwise) {
  if (base.is_int() || base.is_bool()) {
    const auto integer = read_integer(text.as_text(), base.is_int() ? base.as_int() : (base.as_bool() ? 1 : 0));
    if (!integer) return std::unexpected(integer.error());
    if (*integer) return **integer;
  }
  const std::optional<double> real = read_real(text.as_text());
  if (!real || std::isnan(*real)) return otherwise;
  return whole_of(*real, text);
}

// ceil and floor go through the number times 10^precision, as Jinja2 does it.
OrFault<Value> round_towards(const Value& value, std::int64_t precision, bool up) {
  const auto number = as_double(value);
  if (!number) return wrong_kind("the subject of round", "a number", value);
  if (!value.is_real() && precision >= 0) return *number;
  constexpr std::int64_t kMost = 308;
  if (precision > kMost || precision < -kMost)
    return fault(FaultCode::overflow, fmt::format("10 to the power of {} is not a finite number", precision));
  const double scale = std::pow(10.0, static_cast<double>(precision));
  const double scaled = *number * scale;
  if (!std::isfinite(scaled)) return finite(scaled, value);
  const double whole = up ? std::ceil(scaled) : std::floor(scaled);
  return finite(whole / scale + 0.0, value);  // + 0.0: Python's whole number between has no -0
}

OrFault<Value> round_common(const Value& value, const Value& precision) {
  if (!as_double(value)) return wrong_kind("the subject of round", "a number", value);
  if (precision.is_null() && value.is_real()) return whole_of(*round_real(value.as_real(), 0), value);
  const auto decimals = precision.is_null() ? 0 : whole_number(precision, "precision");
  if (!decimals) return std::unexpected(decimals.error());
  if (value.is_real()) {
    const auto rounded = round_real(value.as_real(), *decimals);
    if (!rounded) return fault(FaultCode::overflow, fmt::format("{} rounded is not a finite number", shown(value)));
    return finite(*rounded, value);
  }
  const auto rounded = round_integer(value.is_int() ? value.as_int() : (value.as_bool() ? 1 : 0), *decimals);
  if (!rounded) return beyond_64_bits(value);
  return *rounded;
}

struct Unit {
  long double limit;  // sizes below it are written with this unit; 10^24 is no double
  std::string_view name;
};
constexpr std::array<Unit, 8> kDecimalUnits = {{{1e6L, "kB"},
                                                {1e9L, "MB"},
                                                {1e12L, "GB"},
                                                {1e15L, "TB"},
                                                {1e18L, "PB"},
                                                {1e21L, "EB"},
                                                {1e24L, "ZB"},
                                                {1e27L, "YB"}}};
constexpr std::array<Unit, 8> kBinaryUnits = {{{0x1p20, "KiB"},
                                               {0x1p30, "MiB"},
                                               {0x1p40, "GiB"},
                                               {0x1p50, "TiB"},
                                               {0x1p60, "PiB"},
                                               {0x1p70, "EiB"},
                                               {0x1p80, "ZiB"},
                                               {0x1p90, "YiB"}}};

}  // namespace

OrFault<Value> filter_abs(Call& call) {
  const Value& value = call[0];
  if (value.is_real()) return std::fabs(value.as_real());
  const auto integer = whole_number(value, "the subject of abs");
  if (!integer) return wrong_kind("the subject of abs", "a number", value);
  if (*integer >= 0) return *integer;
  return negated(*integer);
}

OrFault<Value> filter_filesizeformat(Call& call) {
  auto size = as_double(call[0]);
  if (call[0].is_text()) size = read_real(call[0].as_text());
  if (!size || !std::isfinite(*size)) return wrong_kind("the subject of filesizeformat", "a number of bytes", call[0]);
  const bool binary = flag_or(call, 1, false);
  const double base = binary ? 1024 : 1000;
  if (*size == 1) return "1 Byte";
  if (*size < base) return fmt::format("{:.0f} Bytes", std::trunc(*size) + 0.0);
  const auto& units = binary ? kBinaryUnits : kDecimalUnits;
  const Unit* unit = &units.front();
  while (*size >= unit->limit && unit != &units.back()) ++unit;
  return fmt::format("{:.1f} {}", base * *size / static_cast<double>(unit->limit), unit->name);
}

OrFault<Value> filter_float(Call& call) {
  const Value& value = call[0];
  const auto number = value.is_text() ? read_real(value.as_text()) : as_double(value);
  if (!number) return call.has(1) ? call[1] : Value(0.0);
  return finite(*number, value);
}

OrFault<Value> filter_int(Call& call) {
  const Value& value = call[0];
  if (value.is_int()) return value;
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  if (value.is_real()) return whole_of(value.as_real(), value);
  Value otherwise = call.has(1) ? call[1] : Value(0);
  if (!value.is_text()) return otherwise;
  return text_to_int(value, call.has(2) ? call[2] : Value(10), otherwise);
}

OrFault<Value> filter_round(Call& call) {
  const Value precision = call.has(1) ? call[1] : Value(0);
  const Value method = call.has(2) ? call[2] : Value("common");
  if (method == Value("common")) return round_common(call[0], precision);
  if (method != Value("ceil") && method != Value("floor"))
    return fault(FaultCode::value, fmt::format("method must be 'common', 'ceil' or 'floor', not {}", shown(method)));
  const auto decimals = whole_number(precision, "precision");
  if (!decimals) return std::unexpected(decimals.error());
  return round_towards(call[0], *decimals, method == Value("ceil"));
}

}  // namespace stepwell
