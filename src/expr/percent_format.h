#pragma once

#include "stepwell/expr/budget.h"
#include "stepwell/expr/fault.h"
#include "stepwell/value/value.h"

namespace stepwell {

// `format % args`, Python's printf-style formatting: %s %r %a %c, %d %i %u %x %X %o, %e %f %g and their capitals, %%,
// with flags, width, precision, `*`, and %(name)s from a map. A list on the right is the list of arguments; anything
// else is the one argument. Every argument must be used, except of a map. CHECKs that `format` is text.
OrFault<Value> percent_format(const Value& format, const Value& args, Budget& budget);

}  // namespace stepwell
