#include "stepwell/expr/arguments.h"

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/operators.h"
#include "stepwell/value/blob_ref.h"

namespace stepwell {
namespace {

std::unexpected<Fault> too_deep() {
  return fault(FaultCode::depth, fmt::format("this would nest deeper than {} levels", limits::kValueDepth));
}

OrFault<std::vector<Value>> characters_of(std::string_view text, Budget& budget) {
  // Every character becomes a value of its own.
  if (auto allowed = budget.spend_items(text.size()); !allowed) return std::unexpected(allowed.error());
  std::vector<Value> characters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    next_code_point(text, at);
    characters.emplace_back(text.substr(from, at - from));
  }
  return characters;
}

}  // namespace

std::unexpected<Fault> wrong_kind(std::string_view what, std::string_view wanted, const Value& got) {
  return fault(FaultCode::type, fmt::format("{} must be {}, not {} {}", what, wanted, kind_word(got), shown(got)));
}

OrFault<std::int64_t> whole_number(const Value& value, std::string_view what) {
  if (value.is_int()) return value.as_int();
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  return wrong_kind(what, "a whole number", value);
}

OrFault<std::int64_t> whole_number_or(const Call& call, std::size_t i, std::string_view what, std::int64_t otherwise) {
  if (!call.has(i)) return otherwise;
  return whole_number(call[i], what);
}

bool flag_or(const Call& call, std::size_t i, bool otherwise) { return call.has(i) ? truthy(call[i]) : otherwise; }

OrFault<std::string_view> text_only(const Value& value, std::string_view what) {
  if (value.is_text()) return value.as_text();
  return wrong_kind(what, "text", value);
}

OrFault<Items> Items::of(const Value& value, Budget& budget) {
  Items items;
  if (value.is_list()) {
    if (auto allowed = budget.spend_items(value.as_list().size()); !allowed) return std::unexpected(allowed.error());
    items.kept_ = value;
    return items;
  }
  if (value.is_map()) {
    if (is_blob_ref(value)) return untouchable(value);
    if (auto allowed = budget.spend_items(value.as_map().size()); !allowed) return std::unexpected(allowed.error());
    for (const Member& member : value.as_map()) items.made_.push_back(member.name);
    return items;
  }
  if (value.is_text()) {
    auto characters = characters_of(value.as_text(), budget);
    if (!characters) return std::unexpected(characters.error());
    items.made_ = std::move(*characters);
    return items;
  }
  return fault(FaultCode::type, fmt::format("cannot walk through {} {}", kind_word(value), shown(value)));
}

OrFault<Value> list_value(std::vector<Value> items) {
  if (!Value::list_fits(items)) return too_deep();
  return Value::list(std::move(items));
}

OrFault<Value> map_value(std::vector<Member> members) {
  if (!Value::map_fits(members)) return too_deep();
  return Value::map(std::move(members));
}

OrFault<Value> pairs_of(const Value& map, Budget& budget) {
  if (!map.is_map()) return wrong_kind("the subject", "a map", map);
  if (auto allowed = budget.spend_items(2 * map.as_map().size()); !allowed) return std::unexpected(allowed.error());
  if (map.depth() >= limits::kValueDepth) return too_deep();
  std::vector<Value> pairs;
  for (const Member& member : map.as_map()) pairs.push_back(Value::list({member.name, member.value}));
  return list_value(std::move(pairs));
}

}  // namespace stepwell
