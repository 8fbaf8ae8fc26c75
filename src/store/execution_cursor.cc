#include "stepwell/store/execution_cursor.h"

#include <charconv>

#include <fmt/format.h>

namespace stepwell {

std::string ExecutionCursor::str() const { return std::to_string(started_at) + "-" + std::to_string(arrival); }

Stored<ExecutionCursor> read_cursor(std::string_view text) {
  ExecutionCursor cursor;
  if (text.empty()) return cursor;
  const char* const end = text.data() + text.size();
  const auto started = std::from_chars(text.data(), end, cursor.started_at);
  if (started.ec == std::errc() && started.ptr != end && *started.ptr == '-') {
    const auto arrival = std::from_chars(started.ptr + 1, end, cursor.arrival);
    if (arrival.ec == std::errc() && arrival.ptr == end) return cursor;
  }
  return std::unexpected(StoreError{
      .kind = StoreError::Kind::invalid,
      .message = fmt::format("'{}' is no cursor; pass what the page before gave as `next`, unchanged", text)});
}

}  // namespace stepwell
