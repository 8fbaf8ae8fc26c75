#include "stepwell/value/schema/words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/base/nearest.h"
#include "stepwell/base/utf8.h"
#include "stepwell/value/json_write.h"

namespace stepwell::schema {

namespace {

struct TypeName {
  std::string_view name;
  TypeSet type;
  std::string_view with_article;
};
constexpr std::array kTypes = {
    TypeName{"null", kNull, "null"},
    TypeName{"boolean", kBoolean, "a boolean"},
    TypeName{"integer", kInteger, "an integer"},
    TypeName{"number", kNumber, "a number"},
    TypeName{"string", kString, "a string"},
    TypeName{"array", kArray, "an array"},
    TypeName{"object", kObject, "an object"},
};

constexpr std::size_t kShownBytes = 60;
constexpr std::size_t kShownEntries = 4;

// Small enough to be written out.
bool is_small(const Value& value) {
  if (value.depth() > 1) return false;
  const bool list = value.is_list();
  return (list ? value.as_list().size() : value.as_map().size()) <= kShownEntries;
}

std::string cut(std::string text) {
  if (text.size() <= kShownBytes) return text;
  text.resize(utf8::cut(text, kShownBytes).size());
  return text + "...";
}

std::string container(const Value& value) {
  if (value.is_list()) return "an array of " + counted(value.as_list().size(), "item", "items");
  return "an object with " + counted(value.as_map().size(), "property", "properties");
}

}  // namespace

std::string quoted(std::string_view text) {
  const bool whole = text.size() <= kShownBytes;
  std::string out;
  append_json_text(out, whole ? text : cut(std::string(text.substr(0, kShownBytes + 1))));
  return out;
}

std::string shown(const Value& value) {
  if (value.is_text()) return quoted(value.as_text());
  if ((value.is_list() || value.is_map()) && !is_small(value)) return container(value);
  std::string text = to_json(value);
  return text.size() > kShownBytes && value.depth() > 0 ? container(value) : cut(std::move(text));
}

std::string shown_with_type(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return "null";
    case Kind::boolean: return "the boolean " + shown(value);
    case Kind::integer:
    case Kind::real: return "the number " + shown(value);
    case Kind::text: return "the string " + shown(value);
    case Kind::list:
    case Kind::map: return container(value);
  }
  CHECK(false);
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string type_names(TypeSet types) {
  std::vector<std::string_view> names;
  for (const TypeName& type : kTypes) {
    const bool covered = type.type == kInteger && (types & kNumber);
    if ((types & type.type) && !covered) names.push_back(type.with_article);
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

std::optional<TypeSet> find_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &TypeName::name);
  return found == kTypes.end() ? std::nullopt : std::optional(found->type);
}

std::optional<std::string_view> nearest_type(std::string_view name) {
  // What other languages call these.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kForeign = {{{"text", "string"},
                                                                                       {"str", "string"},
                                                                                       {"list", "array"},
                                                                                       {"map", "object"},
                                                                                       {"dict", "object"},
                                                                                       {"int", "integer"},
                                                                                       {"float", "number"},
                                                                                       {"double", "number"},
                                                                                       {"real", "number"},
                                                                                       {"bool", "boolean"},
                                                                                       {"nil", "null"},
                                                                                       {"none", "null"}}};
  for (const auto& [foreign, ours] : kForeign) {
    if (foreign == name) return ours;
  }
  std::array<std::string_view, kTypes.size()> names;
  std::ranges::transform(kTypes, names.begin(), &TypeName::name);
  return nearest(name, names);
}

}  // namespace stepwell::schema
