#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "stepwell/base/check.h"
#include "stepwell/base/utf8.h"
#include "stepwell/model/diagnostic.h"

// What the fuzz targets of this layer demand of every place in a text.
namespace stepwell::testing {

class TextBounds {
 public:
  explicit TextBounds(std::string_view text) {
    for (std::size_t at = 0; at != std::string_view::npos;) {
      const std::size_t end = text.find('\n', at);
      sizes_.push_back(std::min(end, text.size()) - at);
      at = end == std::string_view::npos ? end : end + 1;
    }
  }

  // A character of the text, or where the next one of its line would stand.
  void check(Mark mark) const {
    CHECK(mark.line >= 1 && mark.line <= sizes_.size());
    CHECK(mark.column >= 1 && mark.column <= sizes_[mark.line - 1] + 1);
  }

  void check(const Diagnostics& found) const {
    for (const Diagnostic& diagnostic : found.sorted()) {
      check(diagnostic.mark);
      CHECK(!diagnostic.message.empty() && utf8::is_valid(diagnostic.to_string()));
    }
  }

 private:
  std::vector<std::size_t> sizes_;  // of the lines, in bytes
};

}  // namespace stepwell::testing
