#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/value/value.h"

namespace stepwell {

// Texts whose order and number mean nothing.
inline Value set_of(std::vector<std::string> all) {
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return Value::list({all.begin(), all.end()});
}

// Members of a canonical map while it is put together.
class Canon {
 public:
  void put(std::string_view key, Value value) { members_.push_back({Value(key), std::move(value)}); }
  template <typename T>
  void put_if(std::string_view key, const std::optional<T>& value) {
    if (value) put(key, Value(*value));
  }
  Value finish() { return Value::map(std::move(members_)); }

 private:
  std::vector<Member> members_;
};

}  // namespace stepwell
