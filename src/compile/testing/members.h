#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/value/value.h"

namespace stepwell::testing {

// The members of a map while they are changed; keys are few, so each is searched.
class Members {
 public:
  explicit Members(const Value& map) : all_(map.as_map().begin(), map.as_map().end()) {}

  const Value* find(std::string_view key) const {
    for (const Member& member : all_) {
      if (member.key() == key) return &member.value;
    }
    return nullptr;
  }
  void put(std::string_view key, Value value) {
    for (Member& member : all_) {
      if (member.key() == key) {
        member.value = std::move(value);
        return;
      }
    }
    all_.push_back({Value(key), std::move(value)});
  }
  void drop(std::string_view key) {
    std::erase_if(all_, [&](const Member& member) { return member.key() == key; });
  }
  Value finish() { return Value::map(std::move(all_)); }

 private:
  std::vector<Member> all_;
};

}  // namespace stepwell::testing
