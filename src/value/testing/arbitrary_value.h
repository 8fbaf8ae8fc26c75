#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include <rapidcheck.h>

#include "stepwell/base/utf8.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/value.h"

// Random values for property tests, with a taste for the edges: numbers where an encoding changes its width, texts
// around the length at which Value stops keeping them inside, all of Unicode.
namespace stepwell::testing {

inline rc::Gen<char32_t> arbitrary_code_point() {
  auto within = [](std::uint32_t from, std::uint32_t to) { return rc::gen::inRange<std::uint32_t>(from, to); };
  return rc::gen::cast<char32_t>(rc::gen::weightedOneOf<std::uint32_t>({{10, within(0x20, 0x7F)},
                                                                        {2, within(0, 0x20)},
                                                                        {2, within(0x7F, 0x800)},
                                                                        {2, within(0x800, 0xD800)},
                                                                        {1, within(0xE000, 0x10000)},
                                                                        {1, within(0x10000, 0x110000)}}));
}

inline rc::Gen<std::string> arbitrary_text() {
  return rc::gen::map(rc::gen::container<std::u32string>(arbitrary_code_point()), [](const std::u32string& points) {
    std::string text;
    for (const char32_t point : points) utf8::append(text, point);
    return text;
  });
}

inline rc::Gen<std::int64_t> arbitrary_integer() {
  auto near_a_power_of_two = rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 63), rc::gen::inRange<std::int64_t>(-2, 3), rc::gen::arbitrary<bool>()),
      [](const std::tuple<int, std::int64_t, bool>& parts) {
        const auto [power, offset, negative] = parts;
        const std::int64_t magnitude = (std::int64_t{1} << power) + (power < 62 ? offset : 0);
        return negative ? -magnitude : magnitude;
      });
  return rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-30, 300), near_a_power_of_two, rc::gen::arbitrary<std::int64_t>(),
      rc::gen::element(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}

inline rc::Gen<double> arbitrary_real() {
  auto of_any_bits = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
    const double real = std::bit_cast<double>(bits);
    return std::isfinite(real) ? real : 0.5;
  });
  auto of_few_bits = rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(-5000, 5000), rc::gen::inRange(-160, 160)),
      [](const std::tuple<int, int>& parts) { return std::ldexp(std::get<0>(parts), std::get<1>(parts)); });
  return rc::gen::oneOf(of_any_bits, of_few_bits,
                        rc::gen::element(0.0, -0.0, 0.1, 1.0, 65504.0, 65505.0, 5.960464477539063e-8, 1e16, 1e-5,
                                         std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min(),
                                         static_cast<double>(std::numeric_limits<float>::max())));
}

// Mostly from a handful, so that two maps have keys in common.
inline rc::Gen<std::string> arbitrary_key() {
  const std::vector<std::string> common = {"", "a", "b", "c", "aa", "ab", "a key", "a key of more than 14 bytes"};
  return rc::gen::weightedOneOf<std::string>({{3, rc::gen::elementOf(common)}, {1, arbitrary_text()}});
}

inline rc::Gen<Value> arbitrary_value(int levels = 4);

// `levels` bounds how deep it nests, itself included.
inline rc::Gen<Value> arbitrary_map(int levels = 4) {
  return rc::gen::exec([levels] {
    std::vector<Member> members;
    const auto size = *rc::gen::inRange(0, 6);
    for (int i = 0; i < size; ++i) members.push_back({*arbitrary_key(), *arbitrary_value(levels - 1)});
    return Value::map(std::move(members));
  });
}

// `levels` bounds how deep it nests. The kind is an element, not a range: small ranges would nearly always say null.
inline rc::Gen<Value> arbitrary_value(int levels) {
  return rc::gen::exec([levels]() -> Value {
    const std::size_t nested = levels > 0 ? 6 : 0;
    switch (*rc::gen::weightedElement<Kind>({{1, Kind::null},
                                             {1, Kind::boolean},
                                             {2, Kind::integer},
                                             {2, Kind::real},
                                             {2, Kind::text},
                                             {nested, Kind::list},
                                             {nested, Kind::map}})) {
      case Kind::null: return nullptr;
      case Kind::boolean: return *rc::gen::arbitrary<bool>();
      case Kind::integer: return *arbitrary_integer();
      case Kind::real: return *arbitrary_real();
      case Kind::text: return *arbitrary_text();
      case Kind::list: {
        const auto size = *rc::gen::inRange(0, 6);
        return Value::list(*rc::gen::container<std::vector<Value>>(size, arbitrary_value(levels - 1)));
      }
      case Kind::map: return *arbitrary_map(levels);
    }
    CHECK(false);
  });
}

}  // namespace stepwell::testing

namespace stepwell {

// How RapidCheck shows a counterexample.
inline void showValue(const Value& value, std::ostream& out) { out << to_json(value); }

}  // namespace stepwell

// Properties may take values as arguments: `RC_GTEST_PROP(Suite, Name, (const Value& value))`.
template <>
struct rc::Arbitrary<stepwell::Value> {
  static Gen<stepwell::Value> arbitrary() { return stepwell::testing::arbitrary_value(); }
};
