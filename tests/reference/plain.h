#pragma once

#include <string>

#include "stepwell/value/value.h"

namespace stepwell::reference {

// A value as JSON, without what an error says to people: its wording is not part of what running means.
std::string plain(const Value& value);

}  // namespace stepwell::reference
