#pragma once

#include <string>
#include <string_view>

#include "stepwell/expr/budget.h"
#include "stepwell/expr/fault.h"
#include "stepwell/value/value.h"

// The text of values as Jinja2 shows them, which is Python's str(): True, None, 1.0, ['a', 1], {'k': 1.5}.
namespace stepwell {

// Appends str(value): text as it is, everything else as repr. On a fault `out` may hold a part of it.
OrFault<void> append_text_of(std::string& out, const Value& value, Budget& budget);

// Appends repr(value): text in quotes with escapes.
OrFault<void> append_repr_of(std::string& out, const Value& value, Budget& budget);

// Everything outside ASCII as an escape: ascii() of a text that is a repr already.
std::string ascii_escaped(std::string_view text);

OrFault<std::string> text_of(const Value& value, Budget& budget);

}  // namespace stepwell
