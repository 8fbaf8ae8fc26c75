#pragma once

#include <string_view>

namespace stepwell {

// One member of a struct that is written to disk: its name in documents, and where it is. A struct lists its members in
// `kFields`, in the order in which they are written; codecs, printers and the reference page follow that list.
template <typename Struct, typename T>
struct Field {
  constexpr Field(std::string_view field_name, T Struct::* place) : name(field_name), member(place) {}

  std::string_view name;
  T Struct::* member;
};

template <typename T>
concept HasFields = requires { T::kFields; };

}  // namespace stepwell
