#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/numbers.h"
#include "stepwell/expr/operators.h"

namespace stepwell {

namespace {

// The places a slice takes, in order: start, start + step, ... `count` of them.
struct Places {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

OrFault<std::optional<std::int64_t>> bound(const Value& value) {
  if (value.is_null()) return std::nullopt;
  const std::optional<std::int64_t> integer = as_integer(value);
  if (!integer) return fault(FaultCode::type, fmt::format("a slice goes by integers, not by {}", shown(value)));
  return integer;
}

// Python's rules: bounds count from the end when negative and are moved into the sequence when outside.
Places places(std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::int64_t step,
              std::int64_t size) {
  const std::int64_t lowest = step < 0 ? -1 : 0;
  const std::int64_t highest = step < 0 ? size - 1 : size;
  auto moved = [&](std::int64_t place) {
    if (place < 0) place = place < -size ? -1 - size : place + size;
    return std::clamp(place, lowest, highest);
  };
  const std::int64_t first = start ? moved(*start) : (step < 0 ? highest : lowest);
  const std::int64_t end = stop ? moved(*stop) : (step < 0 ? lowest : highest);
  const std::int64_t distance = step < 0 ? first - end : end - first;
  if (distance <= 0) return {};
  const std::uint64_t stride = step < 0 ? 0 - static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step);
  return {first, step, static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / stride + 1)};
}

OrFault<Value> slice_of_list(const Value& value, const Places& taken, Budget& budget) {
  if (auto paid = budget.spend_items(static_cast<std::size_t>(taken.count)); !paid)
    return std::unexpected(paid.error());
  std::vector<Value> items;
  items.reserve(static_cast<std::size_t>(taken.count));
  std::int64_t at = taken.start;
  for (std::int64_t i = 0; i < taken.count; ++i, at += taken.step) {
    items.push_back(value.as_list()[static_cast<std::size_t>(at)]);
    if (i + 1 == taken.count) break;  // the next place may not fit the type
  }
  return Value::list(std::move(items));
}

OrFault<Value> slice_of_text(std::string_view text, const Places& taken, Budget& budget) {
  if (auto paid = budget.spend_text(text.size()); !paid) return std::unexpected(paid.error());
  std::vector<std::size_t> offsets;
  for (std::size_t at = 0; at < text.size(); at += utf8::decode(text.substr(at)).size) offsets.push_back(at);
  offsets.push_back(text.size());
  std::string result;
  std::int64_t at = taken.start;
  for (std::int64_t i = 0; i < taken.count; ++i, at += taken.step) {
    const auto place = static_cast<std::size_t>(at);
    result += text.substr(offsets[place], offsets[place + 1] - offsets[place]);
    if (i + 1 == taken.count) break;
  }
  return Value(result);
}

}  // namespace

OrFault<Value> slice(const Value& value, const Value& start, const Value& stop, const Value& step, Budget& budget) {
  if (!value.is_list() && !value.is_text()) {
    return fault(FaultCode::type, fmt::format("only a list or a text has slices, {} has not", shown(value)));
  }
  const auto first = bound(start);
  const auto end = bound(stop);
  const auto stride = bound(step);
  for (const auto* each : {&first, &end, &stride}) {
    if (!*each) return std::unexpected(each->error());
  }
  if (*stride == 0) return fault(FaultCode::value, "the step of a slice must not be 0");
  const std::size_t size = value.is_list() ? value.as_list().size() : utf8::length(value.as_text());
  const Places taken = places(*first, *end, stride->value_or(1), static_cast<std::int64_t>(size));
  return value.is_list() ? slice_of_list(value, taken, budget) : slice_of_text(value.as_text(), taken, budget);
}

}  // namespace stepwell
