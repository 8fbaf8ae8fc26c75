#include "stepwell/compile/text_places.h"

#include <algorithm>

#include "stepwell/base/check.h"
#include "stepwell/base/limits.h"

namespace stepwell {
namespace {

constexpr std::size_t kStride = 256;

// Every code point has exactly one byte that does not continue another.
bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

}  // namespace

TextPlaces::TextPlaces(std::string_view text) : text_(text), line_starts_{0} {
  CHECK(text.size() <= limits::kDocumentBytes);
  std::uint32_t code_points = 0;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (i % kStride == 0) code_points_.push_back(code_points);
    if (begins_code_point(text[i])) ++code_points;
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
  code_points_.push_back(code_points);
}

Mark TextPlaces::mark(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next_line = std::ranges::upper_bound(line_starts_, offset);
  const std::size_t column = code_points_before(offset) - code_points_before(*(next_line - 1));
  return {static_cast<std::uint32_t>(next_line - line_starts_.begin()), static_cast<std::uint32_t>(column + 1)};
}

std::size_t TextPlaces::code_points_before(std::size_t offset) const {
  const std::size_t known = offset - offset % kStride;
  if (known >= text_.size()) return code_points_.back();
  const auto rest = text_.substr(known, offset - known);
  return code_points_[known / kStride] + static_cast<std::size_t>(std::ranges::count_if(rest, begins_code_point));
}

}  // namespace stepwell
