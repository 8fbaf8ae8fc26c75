#pragma once

#include <string>

#include "stepwell/value/value.h"

namespace stepwell::cli {

// An event on one line, for people: "12:00:01.250  step_done  fetch#1  {"rows": 3}". Long values are cut.
std::string event_line(const Value& event);

// Whether it tells what happens, and not how the engine keeps its books.
bool is_telling(const Value& event);

}  // namespace stepwell::cli
