#pragma once

#include "stepwell/expr/builtin.h"

// Regular expressions in RE2's syntax, which answers in linear time whatever the pattern: no look-around and no
// back-references in patterns.
namespace stepwell {

OrFault<Value> filter_regex_match(Call& call);
OrFault<Value> filter_regex_replace(Call& call);

}  // namespace stepwell
