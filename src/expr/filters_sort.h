#pragma once

#include "stepwell/expr/builtin.h"

// Filters that compare items with each other.
namespace stepwell {

OrFault<Value> filter_dictsort(Call& call);
OrFault<Value> filter_groupby(Call& call);
OrFault<Value> filter_max(Call& call);
OrFault<Value> filter_min(Call& call);
OrFault<Value> filter_sort(Call& call);
OrFault<Value> filter_unique(Call& call);

}  // namespace stepwell
