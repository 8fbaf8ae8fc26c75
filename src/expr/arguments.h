#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/builtin.h"

// How built-ins read what they are given and make what they answer.
namespace stepwell {

// A whole number: an integer or, as in Python, a boolean.
OrFault<std::int64_t> whole_number(const Value& value, std::string_view what);

// Argument `i`, or `otherwise` if it was not given.
OrFault<std::int64_t> whole_number_or(const Call& call, std::size_t i, std::string_view what, std::int64_t otherwise);
bool flag_or(const Call& call, std::size_t i, bool otherwise);

// A view into the value: text and nothing else.
OrFault<std::string_view> text_only(const Value& value, std::string_view what);

// A type fault that shows the value: "width must be a whole number, not text "x"".
std::unexpected<Fault> wrong_kind(std::string_view what, std::string_view wanted, const Value& got);

// What a `for` loop would walk: a list's items, a map's keys, a text's characters.
class Items {
 public:
  static OrFault<Items> of(const Value& value, Budget& budget);

  std::span<const Value> view() const { return kept_.is_list() ? kept_.as_list() : std::span<const Value>(made_); }
  std::size_t size() const { return view().size(); }
  auto begin() const { return view().begin(); }
  auto end() const { return view().end(); }

 private:
  Value kept_;               // the list itself, which is not copied
  std::vector<Value> made_;  // or what was made for other kinds
};

// Lists and maps that may nest too deep: a depth fault instead of a broken promise.
OrFault<Value> list_value(std::vector<Value> items);
OrFault<Value> map_value(std::vector<Member> members);

// [key, value] for each member.
OrFault<Value> pairs_of(const Value& map, Budget& budget);

}  // namespace stepwell
