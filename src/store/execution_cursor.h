#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "stepwell/store/store_error.h"

namespace stepwell {

// The place of an execution in lists: by when it started, then by when its row came. What comes first in a list has the
// higher one; the default is before all.
struct ExecutionCursor {
  std::int64_t started_at = std::numeric_limits<std::int64_t>::max();  // microseconds
  std::uint64_t arrival = 0;

  std::string str() const;
  friend auto operator<=>(const ExecutionCursor&, const ExecutionCursor&) = default;
};

// The cursor of a page's `next`; of an empty text, the one before all. `invalid` for a text that is no cursor.
Stored<ExecutionCursor> read_cursor(std::string_view text);

}  // namespace stepwell
