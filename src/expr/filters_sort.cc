#include "stepwell/expr/filters_sort.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "stepwell/expr/arguments.h"
#include "stepwell/expr/attribute_path.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/text_case.h"

namespace stepwell {
namespace {

// What an item is compared by.
struct Keyed {
  Value key;
  Value item;
  std::size_t position = 0;  // decides between equal keys, so that sorting is stable without a second buffer
};

// Text in lower case, unless case counts; anything else as it is.
OrFault<Value> folded(Value key, bool case_sensitive, Budget& budget) {
  if (case_sensitive || !key.is_text()) return key;
  if (auto allowed = budget.spend_text(key.as_text().size()); !allowed) return std::unexpected(allowed.error());
  return Value(lower_case(key.as_text()));
}

struct KeyOptions {
  AttributePath path;
  Value otherwise;
  bool case_sensitive = false;
};

OrFault<std::vector<Keyed>> keyed_items(const Value& value, const KeyOptions& options, Budget& budget) {
  const auto items = Items::of(value, budget);
  if (!items) return std::unexpected(items.error());
  std::vector<Keyed> result;
  result.reserve(items->size());
  for (const Value& item : *items) {
    auto member = options.path.get(item, options.otherwise, budget);
    if (!member) return std::unexpected(member.error());
    auto key = folded(std::move(*member), options.case_sensitive, budget);
    if (!key) return std::unexpected(key.error());
    result.push_back({std::move(*key), item});
  }
  return result;
}

// Stable. Once two keys cannot be compared, nothing is less than anything, so the sort ends soon and safely.
OrFault<void> sort_by_key(std::vector<Keyed>& items, bool reverse, Budget& budget) {
  std::optional<Fault> failed;
  const auto less = [&](const Keyed& a, const Keyed& b) {
    if (failed) return false;
    if (!budget.spend(1)) {
      failed = Budget::out_of_fuel().error();
      return false;
    }
    const auto order = reverse ? ordered(b.key, a.key, budget) : ordered(a.key, b.key, budget);
    if (!order) {
      failed = order.error();
      return false;
    }
    return *order < 0 || (*order == 0 && a.position < b.position);
  };
  for (std::size_t i = 0; i < items.size(); ++i) items[i].position = i;
  std::ranges::sort(items, less);
  if (failed) return std::unexpected(std::move(*failed));
  return {};
}

OrFault<Value> only_items(std::vector<Keyed> sorted) {
  std::vector<Value> items;
  items.reserve(sorted.size());
  for (Keyed& keyed : sorted) items.push_back(std::move(keyed.item));
  return list_value(std::move(items));
}

// The item whose key is the first that no other is `better` than.
OrFault<Value> extreme(Call& call, bool (*better)(std::weak_ordering)) {
  const KeyOptions options{AttributePath(call.has(2) ? call[2] : Value()), Value(), flag_or(call, 1, false)};
  auto items = keyed_items(call[0], options, call.budget);
  if (!items) return std::unexpected(items.error());
  if (items->empty())
    return fault(FaultCode::index, fmt::format("the least or most of {}: there is none", shown(call[0])));
  const Keyed* best = &items->front();
  for (const Keyed& keyed : *items | std::views::drop(1)) {
    const auto order = ordered(keyed.key, best->key, call.budget);
    if (!order) return std::unexpected(order.error());
    if (better(*order)) best = &keyed;
  }
  return best->item;
}

// Equal keys have equal texts: 1, 1.0 and true are one key. Lists and maps are no keys, as in Python.
OrFault<std::string> identity_of(const Value& key, Budget& budget) {
  std::int64_t whole = 0;
  switch (key.kind()) {
    case Kind::null: return "n";
    case Kind::text:
      if (auto allowed = budget.spend_reading(key.as_text().size()); !allowed) return std::unexpected(allowed.error());
      return fmt::format("t{}", key.as_text());
    case Kind::boolean: whole = key.as_bool() ? 1 : 0; break;
    case Kind::integer: whole = key.as_int(); break;
    case Kind::real: {
      const double real = key.as_real();
      if (real != std::floor(real) || std::fabs(real) >= 0x1p63) return fmt::format("r{}", real);
      whole = static_cast<std::int64_t>(real);
      break;
    }
    case Kind::list:
    case Kind::map: return wrong_kind("what unique compares", "text, a number, a boolean or none", key);
  }
  return fmt::format("i{}", whole);
}

}  // namespace

OrFault<Value> filter_dictsort(Call& call) {
  std::string_view by = "key";
  if (call.has(2)) {
    if (!call[2].is_text() || (call[2].as_text() != "key" && call[2].as_text() != "value"))
      return fault(FaultCode::value, fmt::format("by must be 'key' or 'value', not {}", shown(call[2])));
    by = call[2].as_text();
  }
  auto pairs = pairs_of(call[0], call.budget);
  if (!pairs) return pairs;
  const KeyOptions options{AttributePath(Value(by == "key" ? 0 : 1)), Value(), flag_or(call, 1, false)};
  auto items = keyed_items(*pairs, options, call.budget);
  if (!items) return std::unexpected(items.error());
  const auto reverse = whole_number_or(call, 3, "reverse", 0);
  if (!reverse) return std::unexpected(reverse.error());
  if (auto done = sort_by_key(*items, *reverse != 0, call.budget); !done) return std::unexpected(done.error());
  return only_items(std::move(*items));
}

OrFault<Value> filter_groupby(Call& call) {
  const KeyOptions options{AttributePath(call[1]), call.has(2) ? call[2] : Value(), flag_or(call, 3, false)};
  auto items = keyed_items(call[0], options, call.budget);
  if (!items) return std::unexpected(items.error());
  if (auto done = sort_by_key(*items, false, call.budget); !done) return std::unexpected(done.error());
  std::vector<Value> groups;
  for (auto first = items->begin(); first != items->end();) {
    std::vector<Value> members;
    auto last = first;
    for (; last != items->end(); ++last) {
      const auto same = loosely_equal(first->key, last->key, call.budget);
      if (!same) return std::unexpected(same.error());
      if (!*same) break;
      members.push_back(last->item);
    }
    // The key as the first member has it, not in lower case.
    auto key = options.path.get(first->item, options.otherwise, call.budget);
    if (!key) return key;
    auto list = list_value(std::move(members));
    if (!list) return list;
    auto group = list_value({std::move(*key), std::move(*list)});
    if (!group) return group;
    groups.push_back(std::move(*group));
    first = last;
  }
  return list_value(std::move(groups));
}

OrFault<Value> filter_max(Call& call) {
  return extreme(call, [](std::weak_ordering order) { return order > 0; });
}

OrFault<Value> filter_min(Call& call) {
  return extreme(call, [](std::weak_ordering order) { return order < 0; });
}

OrFault<Value> filter_sort(Call& call) {
  const std::vector<AttributePath> paths = AttributePath::list_of(call.has(3) ? call[3] : Value());
  const bool case_sensitive = flag_or(call, 2, false);
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  std::vector<Keyed> sorted;
  for (const Value& item : *items) {
    // A list of keys even if it is one: lists are compared where they differ, so [none, none] can be sorted.
    std::vector<Value> keys;
    for (const AttributePath& path : paths) {
      auto member = path.get(item, call.budget);
      if (!member) return member;
      auto key = folded(std::move(*member), case_sensitive, call.budget);
      if (!key) return key;
      keys.push_back(std::move(*key));
    }
    auto key = list_value(std::move(keys));
    if (!key) return key;
    sorted.push_back({std::move(*key), item});
  }
  const auto reverse = whole_number_or(call, 1, "reverse", 0);
  if (!reverse) return std::unexpected(reverse.error());
  if (auto done = sort_by_key(sorted, *reverse != 0, call.budget); !done) return std::unexpected(done.error());
  return only_items(std::move(sorted));
}

OrFault<Value> filter_unique(Call& call) {
  const KeyOptions options{AttributePath(call.has(2) ? call[2] : Value()), Value(), flag_or(call, 1, false)};
  auto items = keyed_items(call[0], options, call.budget);
  if (!items) return std::unexpected(items.error());
  std::set<std::string> seen;
  std::vector<Value> result;
  for (Keyed& keyed : *items) {
    auto identity = identity_of(keyed.key, call.budget);
    if (!identity) return std::unexpected(identity.error());
    if (seen.insert(std::move(*identity)).second) result.push_back(std::move(keyed.item));
  }
  return list_value(std::move(result));
}

}  // namespace stepwell
