#pragma once

#include <cstddef>

#include "stepwell/model/definition.h"
#include "stepwell/model/part.h"

namespace stepwell {

// How many there are of what a step may point to.
struct Sizes {
  std::size_t steps = 0;
  std::size_t lists = 0;
};

Step read_step(Part part, const Sizes& sizes);

// The parts of a step that are read elsewhere.
std::vector<Task> read_pipeline(Part& step);
void read_backoff(Part& part, Retry& retry);

}  // namespace stepwell
