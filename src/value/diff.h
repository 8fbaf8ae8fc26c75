#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stepwell/value/path.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One difference between two values. Without `before` it was added, without `after` removed, with both replaced.
struct Change {
  Path path;
  std::optional<Value> before;
  std::optional<Value> after;
};

// What makes `after` of `before`, in the order in which values hold their parts; nothing if they are identical. Maps
// are compared member by member, lists item by item, and items that only the longer list has were added or removed at
// its end; anything else is replaced as a whole. Paths start with `at`. What the two values share is not looked into.
std::vector<Change> diff(const Value& before, const Value& after, const Path& at = {});

// For people, a line for each value that went or came:
//   - ctx.total: 3
//   + ctx.total: 4
// Long values are cut to the part around the first difference.
std::string diff_text(std::span<const Change> changes);

}  // namespace stepwell
