#pragma once

#include <cstddef>
#include <string_view>

namespace stepwell {

// A struct that is written to disk lists its members by a function `each_field(visit)`, which calls
// visit(name, &Struct::member) for each, in the order in which they are written. Codecs, printers and the reference
// page follow that list. (A list of all members as one constant would be instantiated by everyone who sees the struct,
// which took more than half of the time to compile a file of the kernel.)
struct AnyField {
  constexpr void operator()(std::string_view, auto) const {}
};

template <typename T>
concept HasFields = requires { T::each_field(AnyField()); };

template <HasFields T>
consteval std::size_t field_count() {
  std::size_t count = 0;
  T::each_field([&](std::string_view, auto) { ++count; });
  return count;
}

}  // namespace stepwell
