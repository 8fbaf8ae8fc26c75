#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "stepwell/model/diagnostic.h"

namespace stepwell {

// Turns byte offsets of a text into lines and columns, each in constant time however long a line is. Lines end with a
// line feed. The text is valid UTF-8 and outlives this.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text);

  // Offsets beyond the end count as the end.
  Mark mark(std::size_t offset) const;

 private:
  std::size_t code_points_before(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<std::uint32_t> code_points_;  // before every kStride-th byte
};

}  // namespace stepwell
