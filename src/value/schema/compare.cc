#include "stepwell/value/schema/compare.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "stepwell/value/number.h"

namespace stepwell::schema {

namespace {

std::weak_ordering reversed(std::weak_ordering order) { return 0 <=> order; }

// Numbers are one kind here, whatever their form.
int rank(Kind kind) { return static_cast<int>(kind == Kind::real ? Kind::integer : kind); }

std::weak_ordering compare_texts(std::string_view a, std::string_view b, Fuel& fuel) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  if (!fuel.burn(a.size() / 64)) return std::weak_ordering::equivalent;
  return a <=> b;
}

std::weak_ordering compare_lists(std::span<const Value> a, std::span<const Value> b, Fuel& fuel) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  if (a.data() == b.data()) return std::weak_ordering::equivalent;
  for (std::size_t i = 0; i < a.size() && !fuel.exhausted(); ++i) {
    if (auto order = compare_json(a[i], b[i], fuel); order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

std::weak_ordering compare_maps(std::span<const Member> a, std::span<const Member> b, Fuel& fuel) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  if (a.data() == b.data()) return std::weak_ordering::equivalent;
  for (std::size_t i = 0; i < a.size() && !fuel.exhausted(); ++i) {
    if (auto order = compare_texts(a[i].key(), b[i].key(), fuel); order != 0) return order;
    if (auto order = compare_json(a[i].value, b[i].value, fuel); order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

}  // namespace

bool is_number(const Value& value) { return value.is_int() || value.is_real(); }

std::weak_ordering compare_numbers(const Value& a, const Value& b) {
  if (a.is_int()) return b.is_int() ? a.as_int() <=> b.as_int() : compare(a.as_int(), b.as_real());
  if (b.is_int()) return reversed(compare(b.as_int(), a.as_real()));
  return a.as_real() < b.as_real()   ? std::weak_ordering::less
         : a.as_real() > b.as_real() ? std::weak_ordering::greater
                                     : std::weak_ordering::equivalent;
}

std::weak_ordering compare_json(const Value& a, const Value& b, Fuel& fuel) {
  if (!fuel.burn(1)) return std::weak_ordering::equivalent;
  if (rank(a.kind()) != rank(b.kind())) return rank(a.kind()) <=> rank(b.kind());
  switch (a.kind()) {
    case Kind::null: return std::weak_ordering::equivalent;
    case Kind::boolean: return a.as_bool() <=> b.as_bool();
    case Kind::integer:
    case Kind::real: return compare_numbers(a, b);
    case Kind::text: return compare_texts(a.as_text(), b.as_text(), fuel);
    case Kind::list: return compare_lists(a.as_list(), b.as_list(), fuel);
    case Kind::map: return compare_maps(a.as_map(), b.as_map(), fuel);
  }
  CHECK(false);
}

std::optional<std::pair<std::size_t, std::size_t>> find_duplicate(std::span<const Value> items, Fuel& fuel) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // A heap sort of indices never leaves its range, even when the comparison stops making sense for want of fuel.
  auto less = [&](std::size_t a, std::size_t b) {
    const auto by_value = compare_json(items[a], items[b], fuel);
    return by_value == 0 ? a < b : by_value < 0;
  };
  std::make_heap(order.begin(), order.end(), less);
  std::sort_heap(order.begin(), order.end(), less);
  std::optional<std::pair<std::size_t, std::size_t>> first;
  for (std::size_t i = 1; i < order.size() && !fuel.exhausted(); ++i) {
    if (compare_json(items[order[i - 1]], items[order[i]], fuel) != 0) continue;
    const std::pair pair(order[i - 1], order[i]);
    if (!first || pair < *first) first = pair;
  }
  return first;
}

}  // namespace stepwell::schema
