#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "stepwell/compile/text_places.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell {

// Why the parser gave up.
struct YamlComplaint {
  std::string_view said;  // in the words of yaml-cpp
  std::size_t at = 0;
  std::optional<Mark> inside;  // where the list or map around it begins
};

// Reports it in our words: where, what, and what to do.
void report_yaml_error(const YamlComplaint& complaint, std::string_view text, const TextPlaces& places,
                       Diagnostics& diagnostics);

}  // namespace stepwell
