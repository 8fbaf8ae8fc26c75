#pragma once

#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// JSON text of a value. Members come in canonical key order, numbers as number_text.h says, and only what JSON demands
// is escaped (the quote, the backslash, control characters); everything else is UTF-8. Reading it back gives the same
// value.
std::string to_json(const Value& value);
void append_json(std::string& out, const Value& value);

// The same for people: one item or member per line, each level behind one more `indent`, no newline at the end.
std::string to_json_pretty(const Value& value, std::string_view indent = "  ");

// A JSON string with its quotes.
void append_json_text(std::string& out, std::string_view text);

}  // namespace stepwell
