#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "stepwell/base/nearest.h"
#include "stepwell/base/utf8.h"
#include "stepwell/value/schema/checker.h"
#include "stepwell/value/schema/compare.h"
#include "stepwell/value/schema/words.h"

// The rules about one value by itself.
namespace stepwell::schema {

namespace {

TypeSet types_of(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return kNull;
    case Kind::boolean: return kBoolean;
    case Kind::integer: return kInteger | kNumber;
    case Kind::real: return std::floor(value.as_real()) == value.as_real() ? kInteger | kNumber : kNumber;
    case Kind::text: return kString;
    case Kind::list: return kArray;
    case Kind::map: return kObject;
  }
  CHECK(false);
}

std::string choices_message(std::span<const Value> choices, const Value& value) {
  constexpr std::size_t kListed = 8;
  if (choices.size() == 1) return fmt::format("must be {}, is {}", shown(choices.front()), shown(value));
  std::string out = choices.empty() ? "no value is allowed" : "must be one of ";
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < std::min(choices.size(), kListed); ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ", ", shown(choices[i]));
    if (choices[i].is_text()) texts.push_back(choices[i].as_text());
  }
  if (choices.size() > kListed) out += fmt::format(" and {} more", choices.size() - kListed);
  out += fmt::format(", is {}", shown(value));
  const auto meant = value.is_text() ? nearest(value.as_text(), texts) : std::nullopt;
  if (meant) out += fmt::format("; did you mean {}?", quoted(*meant));
  return out;
}

std::string length_message(std::string_view relation, std::uint64_t bound, std::size_t is) {
  return fmt::format("must have {} {}, has {}", relation, counted(bound, "character", "characters"), is);
}

}  // namespace

bool Checker::check_type(const Node& node, const At& at) {
  if (node.types == kAnyType || (types_of(at.value) & node.types)) return true;
  return fail(node, "type", at,
              [&] { return fmt::format("must be {}, is {}", type_names(node.types), shown_with_type(at.value)); });
}

bool Checker::check_choices(const Node& node, const At& at) {
  if (node.constant && compare_json(at.value, *node.constant, fuel_) != 0 && !fail(node, "const", at, [&] {
        return fmt::format("must be {}, is {}", shown(*node.constant), shown(at.value));
      })) {
    return false;
  }
  if (!node.choices) return spend(0);
  const bool chosen = std::ranges::binary_search(
      node.sorted_choices, at.value, [&](const Value& a, const Value& b) { return compare_json(a, b, fuel_) < 0; });
  if (!spend(0)) return false;
  return chosen || fail(node, "enum", at, [&] { return choices_message(node.choices->as_list(), at.value); });
}

bool Checker::check_number(const Node& node, const NumberRules& rules, const At& at) {
  const Value& value = at.value;
  // Whether the bound is there and the rule holds or is dealt with.
  auto holds = [&](const std::optional<Value>& bound, std::string_view rule, std::string_view words, auto accepts) {
    return !bound || accepts(*bound) || fail(node, rule, at, [&] {
      return fmt::format("must be {} {}, is {}", words, shown(*bound), shown(value));
    });
  };
  auto order = [&](const Value& bound) { return compare_numbers(value, bound); };
  return holds(rules.minimum, "minimum", "at least", [&](const Value& b) { return order(b) >= 0; }) &&
         holds(rules.maximum, "maximum", "at most", [&](const Value& b) { return order(b) <= 0; }) &&
         holds(rules.exclusive_minimum, "exclusiveMinimum", "more than",
               [&](const Value& b) { return order(b) > 0; }) &&
         holds(rules.exclusive_maximum, "exclusiveMaximum", "less than",
               [&](const Value& b) { return order(b) < 0; }) &&
         holds(rules.multiple_of, "multipleOf", "a multiple of", [&](const Value& b) { return is_multiple(value, b); });
}

bool Checker::check_string(const Node& node, const StringRules& rules, const At& at) {
  const std::string_view text = at.value.as_text();
  if (!spend(text.size() / 16)) return false;
  if (rules.min_length || rules.max_length) {
    const std::size_t length = utf8::length(text);
    if (rules.min_length && length < *rules.min_length &&
        !fail(node, "minLength", at, [&] { return length_message("at least", *rules.min_length, length); })) {
      return false;
    }
    if (rules.max_length && length > *rules.max_length &&
        !fail(node, "maxLength", at, [&] { return length_message("at most", *rules.max_length, length); })) {
      return false;
    }
  }
  if (rules.pattern && !rules.pattern->matches(text) && !fail(node, "pattern", at, [&] {
        return fmt::format("must match the pattern {}, is {}", quoted(rules.pattern->source()), quoted(text));
      })) {
    return false;
  }
  return !rules.format || rules.format->accepts(text) || fail(node, "format", at, [&] {
    return fmt::format("must be {}, is {}", rules.format->description, quoted(text));
  });
}

}  // namespace stepwell::schema
