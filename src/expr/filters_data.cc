#include "stepwell/expr/filters_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/base64.h"
#include "stepwell/base/sha256.h"
#include "stepwell/base/utf8.h"
#include "stepwell/expr/arguments.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/text_of.h"
#include "stepwell/value/blob_ref.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/merge.h"

namespace stepwell {
namespace {

// Pays for everything inside a value before it is walked. Parts that are shared count as often as they are seen, as
// they would in JSON.
OrFault<void> spend_walk(const Value& value, Budget& budget) {
  if (!budget.spend(1)) return Budget::out_of_fuel();
  if (value.is_text()) return budget.spend_text(value.as_text().size());
  if (value.is_list()) {
    for (const Value& item : value.as_list())
      if (auto done = spend_walk(item, budget); !done) return done;
  }
  if (value.is_map()) {
    for (const Member& member : value.as_map()) {
      if (auto done = budget.spend_text(member.key().size()); !done) return done;
      if (auto done = spend_walk(member.value, budget); !done) return done;
    }
  }
  return {};
}

OrFault<std::string> level_of_indent(const Value& indent) {
  if (indent.is_text()) return std::string(indent.as_text());
  const auto width = whole_number(indent, "indent");
  if (!width) return std::unexpected(width.error());
  constexpr std::int64_t kMost = 64;
  if (*width > kMost) return fault(FaultCode::value, fmt::format("indent must be {} at most, not {}", kMost, *width));
  return std::string(static_cast<std::size_t>(std::max<std::int64_t>(*width, 0)), ' ');
}

// The bytes that line breaks and indents of this size add to the JSON of a value inside `depth` containers.
std::size_t layout_bytes(const Value& value, std::size_t indent, std::size_t depth = 0) {
  std::size_t bytes = 0;
  const auto add = [&](const Value& inside) {
    bytes += 1 + indent * (depth + 1) + layout_bytes(inside, indent, depth + 1);
  };
  if (value.is_list()) std::ranges::for_each(value.as_list(), add);
  if (value.is_map()) std::ranges::for_each(value.as_map(), add, &Member::value);
  return bytes == 0 ? 0 : bytes + 1 + indent * depth;
}

OrFault<Value> concat_lists(Call& call) {
  std::vector<Value> items;
  for (const Value& list : call.args) {
    if (!list.is_list()) return wrong_kind("what is added to a list", "a list", list);
    if (auto allowed = call.budget.spend_items(list.as_list().size()); !allowed)
      return std::unexpected(allowed.error());
    items.insert(items.end(), list.as_list().begin(), list.as_list().end());
  }
  return list_value(std::move(items));
}

OrFault<void> no_keywords(const Call& call, std::string_view what) {
  if (call.keywords.empty()) return {};
  return fault(FaultCode::type,
               fmt::format("'{}' has no argument '{}'; it takes values only", what, call.keywords.front().name));
}

}  // namespace

OrFault<Value> filter_b64decode(Call& call) {
  const auto text = text_only(call[0], "the subject of b64decode");
  if (!text) return std::unexpected(text.error());
  if (auto allowed = call.budget.spend_text(text->size()); !allowed) return std::unexpected(allowed.error());
  const auto bytes = from_base64(*text);
  if (!bytes) return fault(FaultCode::value, fmt::format("{} is not base 64", shown(call[0])));
  if (!utf8::is_valid(*bytes))
    return fault(FaultCode::value, fmt::format("the bytes of {} are not UTF-8 text", shown(call[0])));
  return Value(*bytes);
}

OrFault<Value> filter_b64encode(Call& call) {
  const auto text = text_only(call[0], "the subject of b64encode");
  if (!text) return std::unexpected(text.error());
  if (auto allowed = call.budget.spend_text(text->size() / 3 * 4 + 4); !allowed)
    return std::unexpected(allowed.error());
  return Value(to_base64(*text));
}

OrFault<Value> filter_coalesce(Call& call) {
  if (auto done = no_keywords(call, "coalesce"); !done) return std::unexpected(done.error());
  const auto found = std::ranges::find_if(call.args, [](const Value& value) { return !value.is_null(); });
  return found == call.args.end() ? Value() : *found;
}

OrFault<Value> filter_concat(Call& call) {
  if (auto done = no_keywords(call, "concat"); !done) return std::unexpected(done.error());
  if (!call.args.empty() && call[0].is_list()) return concat_lists(call);
  std::string out;
  for (const Value& value : call.args) {
    if (value.is_list() || value.is_map()) return wrong_kind("what is added to text", "text or a number", value);
    if (auto done = append_text_of(out, value, call.budget); !done) return std::unexpected(done.error());
  }
  return Value(out);
}

OrFault<Value> filter_default(Call& call) {
  if (!flag_or(call, 2, false) || truthy(call[0])) return call[0];
  return call.has(1) ? call[1] : Value("");
}

OrFault<Value> filter_fromjson(Call& call) {
  const auto text = text_only(call[0], "the subject of fromjson");
  if (!text) return std::unexpected(text.error());
  constexpr std::size_t kBytesPerOperation = 16;  // short items make values larger than their text
  if (!call.budget.spend(1 + text->size() / kBytesPerOperation)) return Budget::out_of_fuel();
  auto value = parse_json(*text);
  if (!value)
    return fault(FaultCode::value, fmt::format("{} is not JSON: {}", shown(call[0]), value.error().to_string()));
  return std::move(*value);
}

OrFault<Value> filter_merge(Call& call) {
  if (auto done = no_keywords(call, "merge"); !done) return std::unexpected(done.error());
  Value merged = Value::map({});
  for (const Value& map : call.args) {
    if (!map.is_map()) return wrong_kind("what is merged", "a map", map);
    if (is_blob_ref(map)) return untouchable(map);
    if (auto done = spend_walk(merged, call.budget); !done) return std::unexpected(done.error());
    if (auto done = spend_walk(map, call.budget); !done) return std::unexpected(done.error());
    merged = deep_merge(merged, map);
  }
  return merged;
}

OrFault<Value> filter_sha256(Call& call) {
  const auto text = text_only(call[0], "the subject of sha256");
  if (!text) return std::unexpected(text.error());
  if (auto allowed = call.budget.spend_text(text->size()); !allowed) return std::unexpected(allowed.error());
  return Value(sha256(*text).to_hex());
}

OrFault<Value> filter_tojson(Call& call) {
  if (auto done = spend_walk(call[0], call.budget); !done) return std::unexpected(done.error());
  if (holds_blob_ref(call[0])) {
    return fault(FaultCode::blob_ref, "a part of this value is kept elsewhere, so it cannot be written as JSON here");
  }
  std::string json;
  if (!call.has(1) || call[1].is_null()) {
    json = to_json(call[0]);
  } else {
    const auto level = level_of_indent(call[1]);
    if (!level) return std::unexpected(level.error());
    if (auto allowed = call.budget.spend_text(layout_bytes(call[0], level->size())); !allowed)
      return std::unexpected(allowed.error());
    json = to_json_pretty(call[0], *level);
  }
  if (auto allowed = call.budget.spend_text(json.size()); !allowed) return std::unexpected(allowed.error());
  return Value(json);
}

}  // namespace stepwell
