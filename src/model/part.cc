#include "stepwell/model/part.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/tree_value.h"
#include "stepwell/expr/unparse.h"
#include "stepwell/value/json_pointer.h"

namespace stepwell {

Part::Part(const Value& value, std::string at, std::optional<std::string>& error)
    : value_(value), at_(std::move(at)), error_(error) {
  if (!value.is_map()) refuse_at(at_, "must be a map");
}

void Part::refuse_at(const std::string& at, std::string_view why) {
  if (!error_) error_ = fmt::format("the definition at '{}' {}", at, why);
}

void Part::refuse(std::string_view key, std::string_view why) { refuse_at(place(key), why); }

std::string Part::place(std::string_view key) const {
  std::string place = at_;
  append_pointer_token(place, key);
  return place;
}

const Value* Part::take(std::string_view key) {
  known_.push_back(key);
  return value_.find(key);
}

const Value* Part::need(std::string_view key) {
  const Value* value = take(key);
  if (value == nullptr) refuse(key, "is missing");
  return value;
}

std::string Part::text(std::string_view key) {
  const Value* value = need(key);
  if (value == nullptr) return {};
  if (value->is_text()) return std::string(value->as_text());
  refuse(key, "must be text");
  return {};
}

std::string Part::optional_text(std::string_view key) { return take(key) == nullptr ? std::string() : text(key); }

bool Part::flag(std::string_view key) {
  const Value* value = need(key);
  if (value != nullptr && value->is_bool()) return value->as_bool();
  refuse(key, "must be a boolean");
  return false;
}

double Part::real(std::string_view key) {
  const Value* value = need(key);
  if (value != nullptr && value->is_real()) return value->as_real();
  refuse(key, "must be a real number");
  return 0;
}

std::int64_t Part::integer(std::string_view key, std::int64_t low) {
  const Value* value = need(key);
  if (value != nullptr && value->is_int() && value->as_int() >= low) return value->as_int();
  refuse(key, fmt::format("must be an integer from {} on", low));
  return low;
}

std::optional<std::int64_t> Part::optional_integer(std::string_view key) {
  if (take(key) == nullptr) return std::nullopt;
  return integer(key);
}

std::uint32_t Part::index(std::string_view key, std::size_t size) {
  const std::int64_t found = integer(key);
  if (static_cast<std::uint64_t>(found) < size) return static_cast<std::uint32_t>(found);
  refuse(key, fmt::format("must be below {}", size));
  return 0;
}

std::optional<std::uint32_t> Part::optional_index(std::string_view key, std::size_t size) {
  if (take(key) == nullptr) return std::nullopt;
  return index(key, size);
}

std::optional<Duration> Part::optional_duration(std::string_view key) {
  if (take(key) == nullptr) return std::nullopt;
  return duration(key);
}

std::size_t Part::word(std::string_view key, std::span<const std::string_view> words) {
  const std::string found = text(key);
  const auto known = std::ranges::find(words, found);
  if (known != words.end()) return static_cast<std::size_t>(known - words.begin());
  refuse(key, fmt::format("cannot be '{}'", found));
  return 0;
}

std::vector<std::string> Part::texts(std::string_view key) {
  std::vector<std::string> all;
  for (const auto& [value, at] : items(key)) {
    if (!value->is_text()) {
      refuse_at(at, "must be text");
      return all;
    }
    all.emplace_back(value->as_text());
  }
  return all;
}

std::vector<std::pair<const Value*, std::string>> Part::items(std::string_view key) {
  std::vector<std::pair<const Value*, std::string>> all;
  const Value* list = need(key);
  if (list == nullptr) return all;
  if (!list->is_list()) {
    refuse(key, "must be a list");
    return all;
  }
  for (std::size_t i = 0; i < list->as_list().size(); ++i) {
    std::string at = place(key);
    append_pointer_token(at, i);
    all.emplace_back(&list->as_list()[i], std::move(at));
  }
  return all;
}

std::vector<std::pair<const Value*, std::string>> Part::optional_items(std::string_view key) {
  if (take(key) == nullptr) return {};
  return items(key);
}

std::optional<Part> Part::part(std::string_view key) {
  const Value* value = take(key);
  if (value == nullptr) return std::nullopt;
  return std::optional<Part>(std::in_place, *value, place(key), error_);
}

std::optional<Expression> Part::expression_of(const Value& value, const std::string& at) {
  auto tree = tree_from_value(value);
  if (!tree) {
    refuse_at(at, fmt::format("is not an expression: {}", tree.error()));
    return std::nullopt;
  }
  auto program = compile(with_canonical_source(*tree));
  if (program) return Expression{.program = std::move(*program)};
  refuse_at(at, fmt::format("does not compile: {}", program.error().summary()));
  return std::nullopt;
}

std::optional<Expression> Part::expression(std::string_view key) {
  const Value* value = take(key);
  return value == nullptr ? std::nullopt : expression_of(*value, place(key));
}

Mapping Part::mapping_of(const Value& value, const std::string& at) {
  const bool pair = value.is_list() && value.as_list().size() == 2 && value.as_list()[0].is_text();
  if (!pair) {
    refuse_at(at, "must be [word, content]");
    return {};
  }
  const std::string_view word = value.as_list()[0].as_text();
  const Value& content = value.as_list()[1];
  if (word == "value") return {content};
  if (word == "expr") {
    auto expression = expression_of(content, at);
    return expression ? Mapping{std::move(*expression)} : Mapping{};
  }
  if (word == "list" && content.is_list()) {
    Mapping::List items;
    for (const Value& item : content.as_list()) items.push_back(mapping_of(item, at));
    return {std::move(items)};
  }
  if (word == "map" && content.is_map()) {
    Mapping::Map members;
    for (const Member& member : content.as_map()) {
      members.push_back({std::string(member.key()), mapping_of(member.value, at)});
    }
    return {std::move(members)};
  }
  refuse_at(at, fmt::format("is no mapping: '{}'", word));
  return {};
}

Mapping Part::mapping(std::string_view key) {
  const Value* value = need(key);
  return value == nullptr ? Mapping{} : mapping_of(*value, place(key));
}

std::optional<Mapping> Part::optional_mapping(std::string_view key) {
  if (take(key) == nullptr) return std::nullopt;
  return mapping(key);
}

std::optional<Schema> Part::schema(std::string_view key) {
  const Value* value = take(key);
  if (value == nullptr) return std::nullopt;
  auto schema = Schema::compile(*value);
  if (schema) return std::move(*schema);
  refuse(key, fmt::format("is not a JSON Schema: {}", schema.error().front().message));
  return std::nullopt;
}

Path Part::path(std::string_view key) {
  auto path = Path::parse(text(key));
  if (path) return std::move(*path);
  refuse(key, path.error().message);
  return {};
}

std::vector<std::string_view> Part::keys() const {
  std::vector<std::string_view> keys;
  if (!value_.is_map()) return keys;
  for (const Member& member : value_.as_map()) keys.push_back(member.key());
  return keys;
}

void Part::finish() {
  if (!value_.is_map()) return;
  for (const Member& member : value_.as_map()) {
    if (std::ranges::count(known_, member.key()) == 0) refuse(member.key(), "is not known");
  }
}

}  // namespace stepwell
