#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "stepwell/kernel/field.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

namespace stepwell {

// How deep the deepest value nests that a struct holds in any of its fields. What holds no values has none.
inline std::size_t depth_of(const Value& value) { return value.depth(); }
inline std::size_t depth_of(const EncodedValue& value) { return value.depth(); }
template <HasFields T>
std::size_t depth_of(const T& holder);

template <typename T>
std::size_t depth_of(const T&) {
  return 0;
}
template <typename T>
std::size_t depth_of(const Shared<T>& held) {
  return depth_of(*held);
}
template <typename T>
std::size_t depth_of(const std::optional<T>& held) {
  return held ? depth_of(*held) : 0;
}

template <HasFields T>
std::size_t depth_of(const T& holder) {
  std::size_t deepest = 0;
  T::each_field([&](std::string_view, auto member) { deepest = std::max(deepest, depth_of(holder.*member)); });
  return deepest;
}

}  // namespace stepwell
