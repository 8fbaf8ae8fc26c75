#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/base/duration.h"
#include "stepwell/model/expression.h"
#include "stepwell/model/mapping.h"
#include "stepwell/value/path.h"
#include "stepwell/value/schema.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One map of a canonical definition while it is read. The first thing that does not fit is kept in `error`, with its
// place; what is read after it is worthless. finish() refuses keys that nobody asked for.
class Part {
 public:
  Part(const Value& value, std::string at, std::optional<std::string>& error);

  bool has(std::string_view key) const { return value_.find(key) != nullptr; }
  const Value* take(std::string_view key);
  const Value* need(std::string_view key);

  // Each refuses a missing key and a value of another kind, unless it is optional.
  std::string text(std::string_view key);
  std::string optional_text(std::string_view key);  // "" if it is not there
  bool flag(std::string_view key);
  double real(std::string_view key);
  std::int64_t integer(std::string_view key, std::int64_t low = 0);
  std::optional<std::int64_t> optional_integer(std::string_view key);
  // An index into something of `size` entries.
  std::uint32_t index(std::string_view key, std::size_t size);
  std::optional<std::uint32_t> optional_index(std::string_view key, std::size_t size);
  Duration duration(std::string_view key) { return Duration::micros(integer(key)); }
  std::optional<Duration> optional_duration(std::string_view key);
  // The place of the word among `words`.
  std::size_t word(std::string_view key, std::span<const std::string_view> words);
  std::vector<std::string> texts(std::string_view key);
  std::optional<Expression> expression(std::string_view key);
  Mapping mapping(std::string_view key);
  std::optional<Mapping> optional_mapping(std::string_view key);
  std::optional<Schema> schema(std::string_view key);
  Path path(std::string_view key);
  // The members of a list or map, each with its place.
  std::vector<std::pair<const Value*, std::string>> items(std::string_view key);
  std::vector<std::pair<const Value*, std::string>> optional_items(std::string_view key);
  std::optional<Part> part(std::string_view key);
  // Of a map whose keys are names of the author's choice.
  std::vector<std::string_view> keys() const;

  void refuse(std::string_view key, std::string_view why);
  void finish();
  const std::string& at() const { return at_; }
  std::optional<std::string>& error() { return error_; }

 private:
  Mapping mapping_of(const Value& value, const std::string& at);
  std::optional<Expression> expression_of(const Value& value, const std::string& at);
  std::string place(std::string_view key) const;
  void refuse_at(const std::string& at, std::string_view why);

  const Value& value_;
  std::string at_;
  std::optional<std::string>& error_;
  std::vector<std::string_view> known_;
};

}  // namespace stepwell
