#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/numbers.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/percent_format.h"
#include "stepwell/value/number.h"

namespace stepwell {

std::weak_ordering compare_numbers(const Value& a, const Value& b) {
  const std::optional<std::int64_t> left = as_integer(a);
  const std::optional<std::int64_t> right = as_integer(b);
  if (left && right) return *left <=> *right;
  if (left) return compare(*left, b.as_real());
  if (right) return 0 <=> compare(*right, a.as_real());
  return std::weak_order(a.as_real() == 0 ? 0.0 : a.as_real(), b.as_real() == 0 ? 0.0 : b.as_real());
}

std::string_view symbol(Arithmetic op) {
  switch (op) {
    case Arithmetic::add: return "+";
    case Arithmetic::subtract: return "-";
    case Arithmetic::multiply: return "*";
    case Arithmetic::divide: return "/";
    case Arithmetic::floor_divide: return "//";
    case Arithmetic::modulo: return "%";
    case Arithmetic::power: return "**";
  }
  CHECK(false);
}

namespace {

std::unexpected<Fault> misfit(Arithmetic op, const Value& a, const Value& b) {
  const std::string_view left = kind_word(a);
  const std::string_view right = kind_word(b);
  auto message = [&]() -> std::string {
    switch (op) {
      case Arithmetic::add: return fmt::format("cannot add {} and {}", left, right);
      case Arithmetic::subtract: return fmt::format("cannot subtract {} from {}", right, left);
      case Arithmetic::multiply: return fmt::format("cannot multiply {} and {}", left, right);
      case Arithmetic::divide:
      case Arithmetic::floor_divide: return fmt::format("cannot divide {} by {}", left, right);
      case Arithmetic::modulo: return fmt::format("cannot take {} modulo {}", left, right);
      case Arithmetic::power: return fmt::format("cannot raise {} to the power of {}", left, right);
    }
    CHECK(false);
  };
  return fault(FaultCode::type, message(), fmt::format("{} {} {}", shown(a), symbol(op), shown(b)));
}

std::unexpected<Fault> overflow() { return fault(FaultCode::overflow, "the result does not fit in 64 bits"); }
std::unexpected<Fault> by_zero() { return fault(FaultCode::division, "division by zero"); }

OrFault<Value> finite(double result) {
  if (!std::isfinite(result)) return fault(FaultCode::overflow, "the result is too large for a number");
  return Value(result);
}

// The double nearest to a / b, also where a or b has more bits than a double keeps.
double exact_quotient(std::int64_t a, std::int64_t b) {
  using Wide = unsigned __int128;
  const std::uint64_t dividend = a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
  const std::uint64_t divisor = b < 0 ? 0 - static_cast<std::uint64_t>(b) : static_cast<std::uint64_t>(b);
  // Scaled so that the quotient has at least 55 bits: two more than a double, the last one saying "and a bit more".
  const int scale =
      std::max(0, 55 + static_cast<int>(std::bit_width(divisor)) - static_cast<int>(std::bit_width(dividend)));
  const Wide scaled = static_cast<Wide>(dividend) << scale;
  const auto quotient = static_cast<std::uint64_t>(scaled / divisor);
  const std::uint64_t inexact = scaled % divisor != 0 ? 1 : 0;
  const double magnitude = std::ldexp(static_cast<double>(quotient | inexact), -scale);
  return (a < 0) != (b < 0) ? -magnitude : magnitude;
}

// Python's divmod of doubles: the remainder has the divisor's sign.
double real_modulo(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// Each step rounds as Python's does: the quotient by fmod's remainder first, one less where the signs differ.
double real_floor_divide(double a, double b) {
  const double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

OrFault<Value> integers(Arithmetic op, std::int64_t a, std::int64_t b) {
  auto checked = [](std::optional<std::int64_t> result) -> OrFault<Value> {
    if (!result) return overflow();
    return Value(*result);
  };
  switch (op) {
    case Arithmetic::add: return checked(checked_add(a, b));
    case Arithmetic::subtract: return checked(checked_sub(a, b));
    case Arithmetic::multiply: return checked(checked_mul(a, b));
    case Arithmetic::divide: return b == 0 ? OrFault<Value>(by_zero()) : Value(exact_quotient(a, b));
    case Arithmetic::floor_divide: return b == 0 ? OrFault<Value>(by_zero()) : checked(checked_floor_div(a, b));
    case Arithmetic::modulo: return b == 0 ? OrFault<Value>(by_zero()) : Value(floor_mod(a, b));
    case Arithmetic::power:
      if (b >= 0) return checked(checked_pow(a, b));
      if (a == 0) return by_zero();
      return finite(std::pow(static_cast<double>(a), static_cast<double>(b)));
  }
  CHECK(false);
}

OrFault<Value> reals(Arithmetic op, double a, double b) {
  switch (op) {
    case Arithmetic::add: return finite(a + b);
    case Arithmetic::subtract: return finite(a - b);
    case Arithmetic::multiply: return finite(a * b);
    case Arithmetic::divide: return b == 0 ? OrFault<Value>(by_zero()) : finite(a / b);
    case Arithmetic::floor_divide: return b == 0 ? OrFault<Value>(by_zero()) : finite(real_floor_divide(a, b));
    case Arithmetic::modulo: return b == 0 ? OrFault<Value>(by_zero()) : finite(real_modulo(a, b));
    case Arithmetic::power:
      if (a == 0 && b < 0) return by_zero();
      if (a < 0 && b != std::floor(b)) {
        return fault(FaultCode::value, "a fractional power of a negative number is not a real number");
      }
      return finite(std::pow(a, b));
  }
  CHECK(false);
}

OrFault<Value> joined(const Value& a, const Value& b, Budget& budget) {
  if (a.is_text()) {
    const std::string_view left = a.as_text();
    const std::string_view right = b.as_text();
    if (auto paid = budget.spend_text(left.size() + right.size()); !paid) return std::unexpected(paid.error());
    std::string text;
    text.reserve(left.size() + right.size());
    text.append(left).append(right);
    return Value(text);
  }
  if (auto paid = budget.spend_items(a.as_list().size() + b.as_list().size()); !paid) {
    return std::unexpected(paid.error());
  }
  std::vector<Value> items(a.as_list().begin(), a.as_list().end());
  items.insert(items.end(), b.as_list().begin(), b.as_list().end());
  return Value::list(std::move(items));
}

OrFault<Value> repeated(const Value& value, std::int64_t times, Budget& budget) {
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 0));
  const std::uint64_t size = value.is_text() ? value.as_text().size() : value.as_list().size();
  std::uint64_t total = 0;
  if (__builtin_mul_overflow(size, count, &total)) return Budget::out_of_fuel();
  if (value.is_text()) {
    if (auto paid = budget.spend_text(total); !paid) return std::unexpected(paid.error());
    std::string text;
    text.reserve(total);
    for (std::uint64_t i = 0; size > 0 && i < count; ++i) text += value.as_text();
    return Value(text);
  }
  if (auto paid = budget.spend_items(total); !paid) return std::unexpected(paid.error());
  std::vector<Value> items;
  items.reserve(total);
  for (std::uint64_t i = 0; size > 0 && i < count; ++i) {
    items.insert(items.end(), value.as_list().begin(), value.as_list().end());
  }
  return Value::list(std::move(items));
}

}  // namespace

OrFault<Value> arithmetic(Arithmetic op, const Value& a, const Value& b, Budget& budget) {
  const std::optional<std::int64_t> left = as_integer(a);
  const std::optional<std::int64_t> right = as_integer(b);
  if (left && right) return integers(op, *left, *right);
  if (is_number(a) && is_number(b)) return reals(op, to_real(a), to_real(b));
  const bool left_repeats = a.is_text() || a.is_list();
  const bool right_repeats = b.is_text() || b.is_list();
  if (op == Arithmetic::add && left_repeats && a.kind() == b.kind()) return joined(a, b, budget);
  if (op == Arithmetic::multiply && left_repeats && right) return repeated(a, *right, budget);
  if (op == Arithmetic::multiply && right_repeats && left) return repeated(b, *left, budget);
  if (op == Arithmetic::modulo && a.is_text()) return percent_format(a, b, budget);
  return misfit(op, a, b);
}

OrFault<Value> negated(const Value& value) {
  if (value.is_real()) return Value(-value.as_real());
  const std::optional<std::int64_t> integer = as_integer(value);
  if (!integer) return fault(FaultCode::type, fmt::format("cannot negate {} ({})", kind_word(value), shown(value)));
  const std::optional<std::int64_t> result = checked_sub(0, *integer);
  if (!result) return overflow();
  return Value(*result);
}

OrFault<Value> positive(const Value& value) {
  if (value.is_real()) return value;
  const std::optional<std::int64_t> integer = as_integer(value);
  if (!integer)
    return fault(FaultCode::type, fmt::format("'+' wants a number, not {} ({})", kind_word(value), shown(value)));
  return Value(*integer);
}

}  // namespace stepwell
