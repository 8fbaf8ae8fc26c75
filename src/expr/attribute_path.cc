#include "stepwell/expr/attribute_path.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "stepwell/expr/operators.h"

namespace stepwell {
namespace {

Value part_from(std::string_view text) {
  const bool digits = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  std::int64_t index = 0;
  if (digits && std::from_chars(text.data(), text.data() + text.size(), index).ec == std::errc()) return index;
  return text;
}

}  // namespace

AttributePath::AttributePath(std::string_view dotted) {
  for (std::size_t from = 0; from <= dotted.size();) {
    const std::size_t dot = std::min(dotted.find('.', from), dotted.size());
    parts_.push_back(part_from(dotted.substr(from, dot - from)));
    from = dot + 1;
  }
}

AttributePath::AttributePath(const Value& attribute) {
  if (attribute.is_null()) return;
  if (attribute.is_text()) {
    *this = AttributePath(attribute.as_text());
  } else {
    parts_.push_back(attribute);
  }
}

std::vector<AttributePath> AttributePath::list_of(const Value& attribute) {
  if (!attribute.is_text()) return {AttributePath(attribute)};
  std::vector<AttributePath> paths;
  const std::string_view text = attribute.as_text();
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    paths.push_back(AttributePath(text.substr(from, comma - from)));
    from = comma + 1;
  }
  return paths;
}

OrFault<std::optional<Value>> AttributePath::find(const Value& item, const Value& otherwise, Budget& budget) const {
  Value found = item;
  for (const Value& part : parts_) {
    if (!budget.spend(1)) return Budget::out_of_fuel();
    auto next = stepwell::item(found, part, budget);
    // Asking a number for a member is not wrong in Jinja2: there is nothing.
    if (!next && next.error().code != FaultCode::type) return next;
    if (next && *next) {
      found = std::move(**next);
    } else if (!otherwise.is_null()) {
      found = otherwise;
    } else if (&part == &parts_.back()) {
      return std::nullopt;
    } else {
      return missing(part, found);
    }
  }
  return found;
}

OrFault<Value> AttributePath::get(const Value& item, const Value& otherwise, Budget& budget) const {
  auto found = find(item, otherwise, budget);
  if (!found) return std::unexpected(found.error());
  if (!*found) return missing(parts_.back(), item);
  return std::move(**found);
}

std::unexpected<Fault> AttributePath::missing(const Value& part, const Value& item) const {
  return fault(FaultCode::undefined, fmt::format("there is no attribute {} in {}", shown(part), shown(item)));
}

}  // namespace stepwell
