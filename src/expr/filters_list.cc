#include "stepwell/expr/filters_list.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/arguments.h"
#include "stepwell/expr/attribute_path.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/text_of.h"

namespace stepwell {
namespace {

std::unexpected<Fault> nothing(std::string_view what, const Value& value) {
  return fault(FaultCode::index, fmt::format("{} of {}: there is none", what, shown(value)));
}

}  // namespace

OrFault<Value> filter_batch(Call& call) {
  const auto count = whole_number(call[1], "linecount");
  if (!count) return std::unexpected(count.error());
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  std::vector<Value> batches;
  std::vector<Value> batch;
  for (const Value& item : *items) {
    if (std::cmp_equal(batch.size(), *count)) batches.push_back(Value::list(std::exchange(batch, {})));
    batch.push_back(item);
  }
  if (!batch.empty()) {
    if (call.has(2) && !call[2].is_null() && std::cmp_less(batch.size(), *count)) {
      if (auto allowed = call.budget.spend_items(static_cast<std::size_t>(*count)); !allowed)
        return std::unexpected(allowed.error());
      batch.resize(static_cast<std::size_t>(*count), call[2]);
    }
    auto last = list_value(std::move(batch));
    if (!last) return last;
    batches.push_back(std::move(*last));
  }
  return list_value(std::move(batches));
}

OrFault<Value> filter_first(Call& call) {
  const Value& value = call[0];
  if (value.is_list() && !value.as_list().empty()) return value.as_list().front();
  if (value.is_map() && !value.as_map().empty()) return value.as_map().front().name;
  if (value.is_text() && !value.as_text().empty()) {
    std::size_t end = 0;
    next_code_point(value.as_text(), end);
    return Value(value.as_text().substr(0, end));
  }
  if (value.is_list() || value.is_map() || value.is_text()) return nothing("the first", value);
  return wrong_kind("the subject of first", "a list, map or text", value);
}

OrFault<Value> filter_last(Call& call) {
  const Value& value = call[0];
  if (value.is_list() && !value.as_list().empty()) return value.as_list().back();
  if (value.is_map() && !value.as_map().empty()) return value.as_map().back().name;
  if (value.is_text() && !value.as_text().empty()) {
    const std::string_view text = value.as_text();
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    return Value(text.substr(start));
  }
  if (value.is_list() || value.is_map() || value.is_text()) return nothing("the last", value);
  return wrong_kind("the subject of last", "a list, map or text", value);
}

OrFault<Value> filter_items(Call& call) { return pairs_of(call[0], call.budget); }

OrFault<Value> filter_join(Call& call) {
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  const auto separator = call.has(1) ? text_of(call[1], call.budget) : std::string();
  if (!separator) return std::unexpected(separator.error());
  const AttributePath path(call.has(2) ? call[2] : Value());
  std::string out;
  for (const Value& item : *items) {
    if (&item != &*items->begin()) {
      if (auto allowed = call.budget.spend_append(out.size(), separator->size()); !allowed)
        return std::unexpected(allowed.error());
      out += *separator;
    }
    auto member = path.get(item, call.budget);
    if (!member) return member;
    if (auto done = append_text_of(out, *member, call.budget); !done) return std::unexpected(done.error());
  }
  return Value(out);
}

OrFault<Value> filter_length(Call& call) {
  const Value& value = call[0];
  if (value.is_list()) return static_cast<std::int64_t>(value.as_list().size());
  if (value.is_map()) return static_cast<std::int64_t>(value.as_map().size());
  if (!value.is_text()) return wrong_kind("the subject of length", "a list, map or text", value);
  if (auto allowed = call.budget.spend_text(value.as_text().size()); !allowed) return std::unexpected(allowed.error());
  return static_cast<std::int64_t>(utf8::length(value.as_text()));
}

OrFault<Value> filter_list(Call& call) {
  if (call[0].is_list()) return call[0];
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  return Value::list({items->begin(), items->end()});
}

OrFault<Value> filter_random(Call& call) {
  if (!call[0].is_list() && !call[0].is_text()) return wrong_kind("the subject of random", "a list or text", call[0]);
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  if (items->size() == 0) return nothing("a random item", call[0]);
  return items->view()[random_below(call.ambient.stamp.entropy, call.ambient.draws++, items->size())];
}

OrFault<Value> filter_reverse(Call& call) {
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  if (!call[0].is_text()) {
    std::vector<Value> reversed(items->begin(), items->end());
    std::ranges::reverse(reversed);
    return Value::list(std::move(reversed));
  }
  std::string reversed;
  for (const Value& character : std::views::reverse(items->view())) reversed += character.as_text();
  return Value(reversed);
}

OrFault<Value> filter_slice(Call& call) {
  const auto slices = whole_number(call[1], "slices");
  if (!slices) return std::unexpected(slices.error());
  if (*slices == 0) return fault(FaultCode::division, "a list cannot be cut into 0 slices");
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  if (*slices < 0) return Value::list({});
  const auto count = static_cast<std::size_t>(*slices);
  if (auto allowed = call.budget.spend_items(count); !allowed) return std::unexpected(allowed.error());
  const std::size_t each = items->size() / count;
  const std::size_t longer = items->size() % count;  // so many slices have one more
  std::vector<Value> result;
  auto next = items->begin();
  for (std::size_t i = 0; i < count; ++i) {
    const auto end = next + static_cast<std::ptrdiff_t>(each + (i < longer ? 1 : 0));
    std::vector<Value> slice(std::exchange(next, end), end);
    if (call.has(2) && !call[2].is_null() && i >= longer) slice.push_back(call[2]);
    auto value = list_value(std::move(slice));
    if (!value) return value;
    result.push_back(std::move(*value));
  }
  return list_value(std::move(result));
}

OrFault<Value> filter_sum(Call& call) {
  const AttributePath path(call.has(1) ? call[1] : Value());
  Value total = call.has(2) ? call[2] : Value(0);
  if (total.is_text()) return wrong_kind("start", "a number or list; text is put together by join", total);
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  for (const Value& item : *items) {
    auto member = path.get(item, call.budget);
    if (!member) return member;
    auto next = arithmetic(Arithmetic::add, total, *member, call.budget);
    if (!next) return next;
    total = std::move(*next);
  }
  return total;
}

}  // namespace stepwell
