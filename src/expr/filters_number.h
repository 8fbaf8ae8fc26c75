#pragma once

#include "stepwell/expr/builtin.h"

// Filters that make numbers, and numbers for people.
namespace stepwell {

OrFault<Value> filter_abs(Call& call);
OrFault<Value> filter_filesizeformat(Call& call);
OrFault<Value> filter_float(Call& call);
OrFault<Value> filter_int(Call& call);
OrFault<Value> filter_round(Call& call);

}  // namespace stepwell
