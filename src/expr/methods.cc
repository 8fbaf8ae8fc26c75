#include "stepwell/expr/methods.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/arguments.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/text_case.h"
#include "stepwell/expr/text_parts.h"

namespace stepwell {
namespace {

// A method that a value does not have is missing, like any other member.
std::unexpected<Fault> no_method(std::string_view name, std::string_view owner, const Value& value) {
  return fault(FaultCode::undefined,
               fmt::format("{} {} has no method '{}'; only {} has", kind_word(value), shown(value), name, owner));
}

OrFault<std::string_view> text_subject(const Call& call, std::string_view method) {
  if (!call[0].is_text()) return no_method(method, "text", call[0]);
  if (auto allowed = call.budget.spend_text(call[0].as_text().size()); !allowed)
    return std::unexpected(allowed.error());
  return call[0].as_text();
}

// text[start:end] with Python's bounds, negative ones counting from the end. Nothing if start is beyond the end: then
// not even "" begins there.
OrFault<std::optional<std::string_view>> window(std::string_view text, const Call& call) {
  const auto size = static_cast<std::int64_t>(utf8::length(text));
  std::array<std::int64_t, 2> bounds = {0, size};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!call.has(2 + i) || call[2 + i].is_null()) continue;
    const auto given = whole_number(call[2 + i], i == 0 ? "start" : "end");
    if (!given) return std::unexpected(given.error());
    bounds[i] = *given < 0 ? std::max<std::int64_t>(*given + size, 0) : *given;
  }
  const std::int64_t end = std::min(bounds[1], size);
  if (bounds[0] > end) return std::nullopt;
  const std::size_t from = utf8::offset_of(text, static_cast<std::size_t>(bounds[0]));
  return text.substr(from, utf8::offset_of(text, static_cast<std::size_t>(end)) - from);
}

OrFault<Value> has_affix(Call& call, std::string_view method, bool (*has)(std::string_view, std::string_view)) {
  const auto text = text_subject(call, method);
  if (!text) return std::unexpected(text.error());
  const auto part = window(*text, call);
  if (!part) return std::unexpected(part.error());
  if (call[1].is_text()) return *part && has(**part, call[1].as_text());
  if (!call[1].is_list()) return wrong_kind("what to look for", "text or a list of texts", call[1]);
  for (const Value& affix : call[1].as_list()) {
    if (!call.budget.spend(1)) return Budget::out_of_fuel();
    if (!affix.is_text()) return wrong_kind("what to look for", "text", affix);
    if (*part && has(**part, affix.as_text())) return true;
  }
  return false;
}

OrFault<Value> members_of(Call& call, std::string_view method, const Value& (*pick)(const Member&)) {
  if (!call[0].is_map()) return no_method(method, "a map", call[0]);
  if (auto allowed = call.budget.spend_items(call[0].as_map().size()); !allowed)
    return std::unexpected(allowed.error());
  std::vector<Value> picked;
  for (const Member& member : call[0].as_map()) picked.push_back(pick(member));
  return Value::list(std::move(picked));
}

}  // namespace

OrFault<Value> method_endswith(Call& call) {
  return has_affix(call, "endswith", [](std::string_view text, std::string_view end) { return text.ends_with(end); });
}

OrFault<Value> method_startswith(Call& call) {
  return has_affix(call, "startswith",
                   [](std::string_view text, std::string_view start) { return text.starts_with(start); });
}

OrFault<Value> method_get(Call& call) {
  if (!call[0].is_map()) return no_method("get", "a map", call[0]);
  if (call[1].is_list() || call[1].is_map()) return wrong_kind("a key", "text", call[1]);
  const Value* found = call[1].is_text() ? call[0].find(call[1].as_text()) : nullptr;
  if (found != nullptr) return *found;
  return call.has(2) ? call[2] : Value();
}

OrFault<Value> method_items(Call& call) {
  if (!call[0].is_map()) return no_method("items", "a map", call[0]);
  return pairs_of(call[0], call.budget);
}

OrFault<Value> method_join(Call& call) {
  const auto separator = text_subject(call, "join");
  if (!separator) return std::unexpected(separator.error());
  const auto items = Items::of(call[1], call.budget);
  if (!items) return std::unexpected(items.error());
  std::string out;
  for (const Value& item : *items) {
    if (!item.is_text()) return wrong_kind("an item to join", "text (the filter join takes any)", item);
    const std::string_view between = &item == &*items->begin() ? std::string_view() : *separator;
    if (auto allowed = call.budget.spend_append(out.size(), between.size() + item.as_text().size()); !allowed)
      return std::unexpected(allowed.error());
    (out += between) += item.as_text();
  }
  return Value(out);
}

OrFault<Value> method_keys(Call& call) {
  return members_of(call, "keys", [](const Member& member) -> const Value& { return member.name; });
}

OrFault<Value> method_values(Call& call) {
  return members_of(call, "values", [](const Member& member) -> const Value& { return member.value; });
}

OrFault<Value> method_lower(Call& call) {
  const auto text = text_subject(call, "lower");
  if (!text) return std::unexpected(text.error());
  return Value(lower_case(*text));
}

OrFault<Value> method_upper(Call& call) {
  const auto text = text_subject(call, "upper");
  if (!text) return std::unexpected(text.error());
  return Value(upper_case(*text));
}

OrFault<Value> method_replace(Call& call) {
  const auto text = text_subject(call, "replace");
  if (!text) return std::unexpected(text.error());
  const auto old = text_only(call[1], "old");
  if (!old) return std::unexpected(old.error());
  const auto with = text_only(call[2], "new");
  if (!with) return std::unexpected(with.error());
  const auto count = whole_number_or(call, 3, "count", -1);
  if (!count) return std::unexpected(count.error());
  const auto out = replaced(*text, *old, *with, *count, call.budget);
  if (!out) return std::unexpected(out.error());
  return Value(*out);
}

OrFault<Value> method_split(Call& call) {
  const auto text = text_subject(call, "split");
  if (!text) return std::unexpected(text.error());
  const auto cuts = whole_number_or(call, 2, "maxsplit", -1);
  if (!cuts) return std::unexpected(cuts.error());
  const bool at_space = !call.has(1) || call[1].is_null();
  const auto separator = at_space ? std::string_view() : text_only(call[1], "sep");
  if (!separator) return std::unexpected(separator.error());
  if (!at_space && separator->empty()) return fault(FaultCode::value, "sep must not be empty");
  const auto parts =
      at_space ? split_words(*text, *cuts, call.budget) : split_at(*text, *separator, *cuts, call.budget);
  if (!parts) return std::unexpected(parts.error());
  return Value::list({parts->begin(), parts->end()});
}

OrFault<Value> method_strip(Call& call) {
  const auto text = text_subject(call, "strip");
  if (!text) return std::unexpected(text.error());
  if (!call.has(1) || call[1].is_null()) return Value(stripped(*text));
  const auto chars = text_only(call[1], "chars");
  if (!chars) return std::unexpected(chars.error());
  return Value(stripped(*text, *chars));
}

}  // namespace stepwell
