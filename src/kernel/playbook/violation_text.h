#pragma once

#include <string>

#include "stepwell/value/schema.h"
#include "stepwell/value/value.h"

namespace stepwell {

// The first way in which a value breaks a schema, for people: "/lines/0 must be an object, is null". CHECKs that there
// is one.
std::string violation_text(const Schema& schema, const Value& value);

}  // namespace stepwell
