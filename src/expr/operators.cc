#include "stepwell/expr/operators.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/base/utf8.h"
#include "stepwell/expr/numbers.h"
#include "stepwell/expr/text_parts.h"
#include "stepwell/value/blob_ref.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

std::string_view kind_word(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return "none";
    case Kind::boolean: return "boolean";
    case Kind::integer:
    case Kind::real: return "number";
    case Kind::text: return "text";
    case Kind::list: return "list";
    case Kind::map: return "map";
  }
  CHECK(false);
}

std::string_view symbol(Comparison op) {
  switch (op) {
    case Comparison::equal: return "==";
    case Comparison::not_equal: return "!=";
    case Comparison::less: return "<";
    case Comparison::less_equal: return "<=";
    case Comparison::greater: return ">";
    case Comparison::greater_equal: return ">=";
    case Comparison::in: return "in";
    case Comparison::not_in: return "not in";
  }
  CHECK(false);
}

std::string shown(const Value& value) {
  constexpr std::size_t kShown = 60;
  if (value.is_text()) {
    const std::string_view kept = utf8::cut(value.as_text(), kShown);
    return to_json(Value(kept)) + (kept.size() < value.as_text().size() ? "..." : "");
  }
  // What is heavier would be longer, and may be longer than memory: it is not even written.
  if (value.weight() <= kShown) {
    std::string text = to_json(value);
    if (text.size() <= kShown) return text;
  }
  if (value.is_list()) return fmt::format("a list of {} items", value.as_list().size());
  if (value.is_map()) return fmt::format("a map of {} members", value.as_map().size());
  CHECK(false);  // no number is that long
}

bool truthy(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return false;
    case Kind::boolean: return value.as_bool();
    case Kind::integer: return value.as_int() != 0;
    case Kind::real: return value.as_real() != 0;
    case Kind::text: return !value.as_text().empty();
    case Kind::list: return !value.as_list().empty();
    case Kind::map: return !value.as_map().empty();
  }
  CHECK(false);
}

std::unexpected<Fault> untouchable(const Value& reference, std::string_view name) {
  return fault(FaultCode::blob_ref,
               fmt::format("{} is kept elsewhere ({} of {} bytes), so only its 'size' and 'type' can be read here",
                           name.empty() ? "this value" : fmt::format("'{}'", name), reference.find("type")->as_text(),
                           reference.find("size")->as_int()));
}

namespace {

// How much comparing two texts of this size costs beyond the operation itself.
std::uint64_t text_cost(const Value& a) { return a.as_text().size() / 64; }

OrFault<bool> equal_lists(const Value& a, const Value& b, Budget& budget) {
  const auto left = a.as_list();
  const auto right = b.as_list();
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!budget.spend(1)) return Budget::out_of_fuel();
    const OrFault<bool> same = loosely_equal(left[i], right[i], budget);
    if (!same || !*same) return same;
  }
  return true;
}

OrFault<bool> equal_maps(const Value& a, const Value& b, Budget& budget) {
  const auto left = a.as_map();
  const auto right = b.as_map();
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!budget.spend(1 + text_cost(left[i].name))) return Budget::out_of_fuel();
    if (left[i].key() != right[i].key()) return false;
    const OrFault<bool> same = loosely_equal(left[i].value, right[i].value, budget);
    if (!same || !*same) return same;
  }
  return true;
}

OrFault<std::weak_ordering> ordered_lists(const Value& a, const Value& b, Budget& budget) {
  const auto left = a.as_list();
  const auto right = b.as_list();
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (!budget.spend(1)) return Budget::out_of_fuel();
    const OrFault<bool> same = loosely_equal(left[i], right[i], budget);
    if (!same) return std::unexpected(same.error());
    if (!*same) return ordered(left[i], right[i], budget);
  }
  return left.size() <=> right.size();
}

}  // namespace

std::optional<bool> in_order(Comparison op, std::weak_ordering order) {
  switch (op) {
    case Comparison::equal: return order == 0;
    case Comparison::not_equal: return order != 0;
    case Comparison::less: return order < 0;
    case Comparison::less_equal: return order <= 0;
    case Comparison::greater: return order > 0;
    case Comparison::greater_equal: return order >= 0;
    case Comparison::in:
    case Comparison::not_in: return std::nullopt;
  }
  CHECK(false);
}

OrFault<bool> loosely_equal(const Value& a, const Value& b, Budget& budget) {
  if (is_blob_ref(a)) return untouchable(a);
  if (is_blob_ref(b)) return untouchable(b);
  if (is_number(a) && is_number(b)) return compare_numbers(a, b) == std::weak_ordering::equivalent;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::text:
      if (!budget.spend(text_cost(a))) return Budget::out_of_fuel();
      return a.as_text() == b.as_text();
    case Kind::list: return equal_lists(a, b, budget);
    case Kind::map: return equal_maps(a, b, budget);
    case Kind::null: return true;
    case Kind::boolean:
    case Kind::integer:
    case Kind::real: break;
  }
  CHECK(false);
}

OrFault<std::weak_ordering> ordered(const Value& a, const Value& b, Budget& budget) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b);
  if (a.is_text() && b.is_text()) {
    if (!budget.spend(text_cost(a))) return Budget::out_of_fuel();
    return a.as_text() <=> b.as_text();  // UTF-8 sorts by code point
  }
  if (a.is_list() && b.is_list()) return ordered_lists(a, b, budget);
  return fault(FaultCode::type, fmt::format("cannot order {} and {}", kind_word(a), kind_word(b)),
               fmt::format("{} and {}", shown(a), shown(b)));
}

OrFault<Value> items_of(const Value& collection, Budget& budget) {
  std::vector<Value> items;
  switch (collection.kind()) {
    case Kind::list: return collection;
    case Kind::map:
      if (is_blob_ref(collection)) return untouchable(collection);
      if (auto paid = budget.spend_items(collection.as_map().size()); !paid) return std::unexpected(paid.error());
      for (const Member& member : collection.as_map()) items.push_back(member.name);
      return Value::list(std::move(items));
    case Kind::text: {
      const std::string_view text = collection.as_text();
      if (auto paid = budget.spend_items(text.size()); !paid) return std::unexpected(paid.error());
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = utf8::decode(text.substr(at)).size;
        items.emplace_back(text.substr(at, size));
        at += size;
      }
      return Value::list(std::move(items));
    }
    case Kind::null:
    case Kind::boolean:
    case Kind::integer:
    case Kind::real: break;
  }
  return fault(FaultCode::type, fmt::format("cannot go through {}; a list, map or text is needed", shown(collection)));
}

OrFault<bool> contains(const Value& haystack, const Value& needle, Budget& budget) {
  switch (haystack.kind()) {
    case Kind::text:
      if (!needle.is_text()) {
        return fault(FaultCode::type, fmt::format("only text can be in text; {} is not", shown(needle)));
      }
      if (!budget.spend(text_cost(haystack))) return Budget::out_of_fuel();
      return find_text(haystack.as_text(), needle.as_text()) != std::string_view::npos;
    case Kind::list:
      for (const Value& item : haystack.as_list()) {
        if (!budget.spend(1)) return Budget::out_of_fuel();
        const OrFault<bool> same = loosely_equal(item, needle, budget);
        if (!same || *same) return same;
      }
      return false;
    case Kind::map:
      if (needle.is_list() || needle.is_map()) {
        return fault(FaultCode::type, fmt::format("a {} cannot be the key of a map", kind_word(needle)));
      }
      if (!needle.is_text()) return false;
      if (!budget.spend(text_cost(needle))) return Budget::out_of_fuel();
      return haystack.find(needle.as_text()) != nullptr;
    case Kind::null:
    case Kind::boolean:
    case Kind::integer:
    case Kind::real: break;
  }
  return fault(FaultCode::type, fmt::format("cannot look inside {}", shown(haystack)));
}

namespace {

// Index from the front, or nothing if it is outside.
std::optional<std::size_t> place_of(const Value& key, std::size_t size) {
  const std::optional<std::int64_t> index = as_integer(key);
  if (!index) return std::nullopt;
  const auto signed_size = static_cast<std::int64_t>(size);
  const std::int64_t place = *index < 0 ? *index + signed_size : *index;
  if (place < 0 || place >= signed_size) return std::nullopt;
  return static_cast<std::size_t>(place);
}

}  // namespace

OrFault<std::optional<Value>> item(const Value& value, const Value& key, Budget& budget) {
  if (value.is_map()) {
    if (!key.is_text()) return std::nullopt;
    if (!budget.spend(text_cost(key))) return Budget::out_of_fuel();
    const Value* member = value.find(key.as_text());
    if (member == nullptr && is_blob_ref(value)) return untouchable(value);
    return member != nullptr ? std::optional(*member) : std::nullopt;
  }
  if (value.is_list()) {
    const auto place = place_of(key, value.as_list().size());
    return place ? std::optional(value.as_list()[*place]) : std::nullopt;
  }
  if (value.is_text() && as_integer(key)) {
    if (!budget.spend(text_cost(value))) return Budget::out_of_fuel();
    const std::string_view text = value.as_text();
    const auto place = place_of(key, utf8::length(text));
    if (!place) return std::nullopt;
    const std::size_t begin = utf8::offset_of(text, *place);
    return Value(text.substr(begin, utf8::decode(text.substr(begin)).size));
  }
  return std::nullopt;
}

}  // namespace stepwell
