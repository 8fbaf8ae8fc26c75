#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/model/diagnostic.h"
#include "stepwell/value/value.h"

namespace stepwell {

struct YamlMember;

// One node of an authored document: what was written, in the order it was written, and where. Aliases are expanded:
// such a node has the alias's mark, and what it contains the marks of the original.
struct Yaml {
  Mark mark;  // its first character; its ':' or '-' if the value was left out
  Kind kind = Kind::null;
  // An error about this node was reported, and it has lost its value: nothing more should be said about it.
  bool faulty = false;
  // A text that stands in one line of the source as it is: how many characters (a quote) before it. See mark_at.
  std::int8_t verbatim_after = -1;

  Value scalar;                     // all kinds but list and map
  std::vector<Yaml> items;          // of a list
  std::vector<YamlMember> members;  // of a map; no key twice

  // The member with this key, or nullptr if there is none or this is not a map.
  const YamlMember* member(std::string_view key) const;
  // Its value.
  const Yaml* find(std::string_view key) const;

  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
  // CHECKs that it is text.
  std::string_view text() const { return scalar.as_text(); }

  // Where the character at this byte offset of a text stands, or `mark` where only that is known.
  Mark mark_at(std::size_t offset) const;

  Value to_value() const;
};

struct YamlMember {
  std::string key;
  Mark key_mark;
  Yaml value;
};

}  // namespace stepwell
