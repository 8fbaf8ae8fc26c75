#include "stepwell/value/schema/keywords.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "stepwell/value/schema/builder.h"
#include "stepwell/value/schema/compare.h"
#include "stepwell/value/schema/words.h"

namespace stepwell::schema {

namespace {

void read_type(const Keyword& at, Node& node) {
  TypeSet types = 0;
  auto add = [&](const Place& place, const Value& name) {
    if (!name.is_text()) return at.builder.complain(place, "must be the name of a type, is " + shown_with_type(name));
    if (const auto type = find_type(name.as_text())) {
      if (types & *type) at.builder.complain(place, quoted(name.as_text()) + " is listed twice");
      types |= *type;
      return;
    }
    const auto meant = nearest_type(name.as_text());
    at.builder.complain(place, quoted(name.as_text()) + " is not a type",
                        meant ? fmt::format("did you mean \"{}\"?", *meant)
                              : "types are null, boolean, integer, number, string, array and object");
  };
  if (!at.value.is_list()) {
    add(at.place, at.value);
  } else if (at.value.as_list().empty()) {
    at.builder.complain(at.place, "must name at least one type");
  } else {
    at.each_item(add);
  }
  node.types = types;
}

void read_const(const Keyword& at, Node& node) { node.constant = at.value; }

void read_enum(const Keyword& at, Node& node) {
  if (!at.value.is_list()) return at.complain_type("an array of the allowed values");
  node.choices = at.value;
  node.sorted_choices.assign(at.value.as_list().begin(), at.value.as_list().end());
  Fuel fuel(limits::kSchemaSteps);
  std::ranges::sort(node.sorted_choices, [&](const Value& a, const Value& b) { return compare_json(a, b, fuel) < 0; });
  if (fuel.exhausted()) at.builder.complain(at.place, "is too much to compare with");
}

template <auto kRule>
void read_bound(const Keyword& at, Node& node) {
  if (is_number(at.value)) {
    at.rules(node.number).*kRule = at.value;
    return;
  }
  const bool draft_4 = at.value.is_bool() && at.name.starts_with("exclusive");
  at.builder.complain(at.place, "must be a number, is " + shown_with_type(at.value),
                      draft_4 ? fmt::format("since draft 6 the bound itself stands here, instead of {}",
                                            at.name == "exclusiveMinimum" ? "minimum" : "maximum")
                              : "");
}

void read_multiple_of(const Keyword& at, Node& node) {
  if (!is_number(at.value) || compare_numbers(at.value, Value(0)) <= 0) return at.complain_type("a number above 0");
  at.rules(node.number).multiple_of = at.value;
}

template <auto kRules, auto kRule>
void read_count(const Keyword& at, Node& node) {
  const Value& value = at.value;
  const bool whole = value.is_int() || (value.is_real() && std::floor(value.as_real()) == value.as_real());
  if (!whole || compare_numbers(value, Value(0)) < 0) return at.complain_type("a whole number, at least 0");
  const bool huge = value.is_real() && value.as_real() >= 0x1p63;
  at.rules(node.*kRules).*kRule = huge             ? UINT64_MAX
                                  : value.is_int() ? static_cast<std::uint64_t>(value.as_int())
                                                   : static_cast<std::uint64_t>(value.as_real());
}

std::optional<Pattern> compile_pattern(Builder& builder, const Place& place, std::string_view source) {
  std::expected<Pattern, std::string> pattern = Pattern::compile(source);
  if (pattern) return *std::move(pattern);
  builder.complain(place, fmt::format("{} is not a usable regular expression: {}", quoted(source), pattern.error()));
  return std::nullopt;
}

void read_pattern(const Keyword& at, Node& node) {
  if (!at.value.is_text()) return at.complain_type("a regular expression");
  at.rules(node.string).pattern = compile_pattern(at.builder, at.place, at.value.as_text());
}

void read_format(const Keyword& at, Node& node) {
  if (!at.value.is_text()) return at.complain_type("the name of a format");
  if (const Format* format = find_format(at.value.as_text())) at.rules(node.string).format = format;
}

void read_unique_items(const Keyword& at, Node& node) {
  if (!at.value.is_bool()) return at.complain_type("a boolean");
  at.rules(node.array).unique = at.value.as_bool();
}

std::vector<NodeId> read_list(const Keyword& at) {
  std::vector<NodeId> nodes;
  at.each_item([&](const Place& place, const Value& schema) { nodes.push_back(at.builder.node(place, schema)); });
  return nodes;
}

void read_items(const Keyword& at, Node& node) {
  if (at.value.is_list()) {
    at.rules(node.array).tuple = read_list(at);
    return;
  }
  const NodeId items = at.builder.node(at.place, at.value);
  at.rules(node.array).rest = items;
  node.array->rest_is_items = true;
}

void read_additional_items(const Keyword& at, Node& node) {
  const NodeId rest = at.builder.node(at.place, at.value);
  const Value* items = at.schema.find("items");
  if (items && items->is_list()) at.rules(node.array).rest = rest;
}

template <auto kRules, auto kRule>
void read_schema(const Keyword& at, Node& node) {
  const NodeId below = at.builder.node(at.place, at.value);
  at.rules(node.*kRules).*kRule = below;
}

// `then` and `else` mean nothing without `if`, but are checked all the same.
template <auto kRule>
void read_branch(const Keyword& at, Node& node) {
  const NodeId below = at.builder.node(at.place, at.value);
  if (at.schema.find("if")) at.rules(node.combination).*kRule = below;
}

template <auto kRule>
void read_schemas(const Keyword& at, Node& node) {
  if (!at.value.is_list() || at.value.as_list().empty()) return at.complain_type("an array of at least one schema");
  std::vector<NodeId> nodes = read_list(at);
  at.rules(node.combination).*kRule = std::move(nodes);
}

std::optional<std::vector<Value>> read_names(const Keyword& at, std::string hint = "") {
  if (!at.value.is_list()) {
    at.complain_type("an array of property names", std::move(hint));
    return std::nullopt;
  }
  std::vector<Value> names;
  for (std::size_t i = 0; i < at.value.as_list().size() && !at.builder.gave_up(); ++i) {
    const Value& name = at.value.as_list()[i];
    if (name.is_text()) {
      names.push_back(name);
    } else {
      at.builder.complain(at.place / i, "must be a property name, is " + shown_with_type(name));
    }
  }
  return names;
}

void read_required(const Keyword& at, Node& node) {
  auto names = read_names(at, at.value.is_bool() ? "the object around this one lists the names it requires" : "");
  if (!names) return;
  Fuel fuel(limits::kSchemaSteps);
  if (const auto twice = find_duplicate(*names, fuel)) {
    at.builder.complain(at.place, quoted((*names)[twice->first].as_text()) + " is listed twice");
  }
  at.rules(node.object).required = *std::move(names);
}

void read_properties(const Keyword& at, Node& node) {
  if (!at.value.is_map()) return at.complain_type("an object with a schema per property");
  std::vector<NamedNode> properties;
  at.each_member([&](const Place& place, const Member& member) {
    properties.push_back({member.name, at.builder.node(place, member.value)});
  });
  at.rules(node.object).properties = std::move(properties);
}

void read_pattern_properties(const Keyword& at, Node& node) {
  if (!at.value.is_map()) return at.complain_type("an object with a schema per regular expression");
  std::vector<PatternNode> patterns;
  at.each_member([&](const Place& place, const Member& member) {
    const NodeId below = at.builder.node(place, member.value);
    auto pattern = compile_pattern(at.builder, place, member.key());
    if (pattern) patterns.push_back({*std::move(pattern), below});
  });
  at.rules(node.object).patterns = std::move(patterns);
}

void read_dependencies(const Keyword& at, Node& node) {
  if (!at.value.is_map()) return at.complain_type("an object with property names or a schema per property");
  std::vector<Dependency> dependencies;
  at.each_member([&](const Place& place, const Member& member) {
    Dependency dependency{.name = member.name, .required = {}, .node = {}};
    if (member.value.is_list()) {
      dependency.required = read_names({at.builder, place, at.name, member.value, at.schema}).value();
    } else {
      dependency.node = at.builder.node(place, member.value);
    }
    dependencies.push_back(std::move(dependency));
  });
  at.rules(node.object).dependencies = std::move(dependencies);
}

// They demand nothing until something refers to them, but are checked and may carry an `$id`.
void read_definitions(const Keyword& at, Node&) {
  if (!at.value.is_map()) return at.complain_type("an object with a schema per name");
  at.each_member([&](const Place& place, const Member& member) { at.builder.node(place, member.value); });
}

void read_text(const Keyword& at, Node&) {
  if (!at.value.is_text()) at.complain_type("a string");
}

void read_flag(const Keyword& at, Node&) {
  if (!at.value.is_bool()) at.complain_type("a boolean");
}

void read_any_list(const Keyword& at, Node&) {
  if (!at.value.is_list()) at.complain_type("an array");
}

// The drafts after this one gave old words new meanings; those before it lack some. Better said than half obeyed.
void read_dialect(const Keyword& at, Node&) {
  if (!at.value.is_text()) return at.complain_type("a string");
  const std::string_view uri = at.value.as_text();
  const bool ours = uri.find("draft-07/") != std::string_view::npos || uri.find("draft-06/") != std::string_view::npos;
  if (uri.find("//json-schema.org/") == std::string_view::npos || ours) return;
  at.builder.complain(at.place, quoted(uri) + " is not draft 7, which is the one understood here",
                      "rewrite the schema for http://json-schema.org/draft-07/schema#");
}

struct KeywordReader {
  std::string_view name;
  void (*read)(const Keyword&, Node&);
};

constexpr std::array kReaders = {
    KeywordReader{"$comment", read_text},
    KeywordReader{"$id", read_text},
    KeywordReader{"$schema", read_dialect},
    KeywordReader{"additionalItems", read_additional_items},
    KeywordReader{"additionalProperties", read_schema<&Node::object, &ObjectRules::additional>},
    KeywordReader{"allOf", read_schemas<&Combination::all_of>},
    KeywordReader{"anyOf", read_schemas<&Combination::any_of>},
    KeywordReader{"const", read_const},
    KeywordReader{"contains", read_schema<&Node::array, &ArrayRules::contains>},
    KeywordReader{"contentEncoding", read_text},
    KeywordReader{"contentMediaType", read_text},
    KeywordReader{"definitions", read_definitions},
    KeywordReader{"dependencies", read_dependencies},
    KeywordReader{"description", read_text},
    KeywordReader{"else", read_branch<&Combination::alternative>},
    KeywordReader{"enum", read_enum},
    KeywordReader{"examples", read_any_list},
    KeywordReader{"exclusiveMaximum", read_bound<&NumberRules::exclusive_maximum>},
    KeywordReader{"exclusiveMinimum", read_bound<&NumberRules::exclusive_minimum>},
    KeywordReader{"format", read_format},
    KeywordReader{"if", read_schema<&Node::combination, &Combination::condition>},
    KeywordReader{"items", read_items},
    KeywordReader{"maxItems", read_count<&Node::array, &ArrayRules::max_items>},
    KeywordReader{"maxLength", read_count<&Node::string, &StringRules::max_length>},
    KeywordReader{"maxProperties", read_count<&Node::object, &ObjectRules::max_properties>},
    KeywordReader{"maximum", read_bound<&NumberRules::maximum>},
    KeywordReader{"minItems", read_count<&Node::array, &ArrayRules::min_items>},
    KeywordReader{"minLength", read_count<&Node::string, &StringRules::min_length>},
    KeywordReader{"minProperties", read_count<&Node::object, &ObjectRules::min_properties>},
    KeywordReader{"minimum", read_bound<&NumberRules::minimum>},
    KeywordReader{"multipleOf", read_multiple_of},
    KeywordReader{"not", read_schema<&Node::combination, &Combination::none_of>},
    KeywordReader{"oneOf", read_schemas<&Combination::one_of>},
    KeywordReader{"pattern", read_pattern},
    KeywordReader{"patternProperties", read_pattern_properties},
    KeywordReader{"properties", read_properties},
    KeywordReader{"propertyNames", read_schema<&Node::object, &ObjectRules::names>},
    KeywordReader{"readOnly", read_flag},
    KeywordReader{"required", read_required},
    KeywordReader{"then", read_branch<&Combination::consequence>},
    KeywordReader{"title", read_text},
    KeywordReader{"type", read_type},
    KeywordReader{"uniqueItems", read_unique_items},
};
static_assert(std::ranges::is_sorted(kReaders, {}, &KeywordReader::name));

}  // namespace

void Keyword::complain_type(std::string_view expected, std::string hint) const {
  builder.complain(place, fmt::format("must be {}, is {}", expected, shown_with_type(value)), std::move(hint));
}

void read_keywords(Builder& builder, const Place& place, const Value& schema, Node& node) {
  const bool only_definitions = schema.find("$ref") != nullptr;
  for (const Member& member : schema.as_map()) {
    if (only_definitions && member.key() != "definitions") continue;
    const auto reader = std::ranges::lower_bound(kReaders, member.key(), {}, &KeywordReader::name);
    if (reader == kReaders.end() || reader->name != member.key()) continue;
    reader->read({builder, place / member.key(), reader->name, member.value, schema}, node);
  }
}

}  // namespace stepwell::schema
