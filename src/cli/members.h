#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stepwell/value/json_write.h"
#include "stepwell/value/value.h"

// Members of answers, for printing: what is not there is empty.
namespace stepwell::cli {

inline std::string text_of(const Value& value) {
  if (value.is_null()) return {};
  return value.is_text() ? std::string(value.as_text()) : to_json(value);
}

inline std::string text_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  return found == nullptr ? std::string() : text_of(*found);
}

inline std::int64_t number_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  return found == nullptr || !found->is_int() ? 0 : found->as_int();
}

inline bool flag_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  return found != nullptr && found->is_bool() && found->as_bool();
}

inline Value value_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  return found == nullptr ? Value() : *found;
}

}  // namespace stepwell::cli
