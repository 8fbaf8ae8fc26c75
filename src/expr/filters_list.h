#pragma once

#include "stepwell/expr/builtin.h"

// Filters that take lists apart and put them together.
namespace stepwell {

OrFault<Value> filter_batch(Call& call);
OrFault<Value> filter_first(Call& call);
OrFault<Value> filter_items(Call& call);
OrFault<Value> filter_join(Call& call);
OrFault<Value> filter_last(Call& call);
OrFault<Value> filter_length(Call& call);
OrFault<Value> filter_list(Call& call);
OrFault<Value> filter_random(Call& call);
OrFault<Value> filter_reverse(Call& call);
OrFault<Value> filter_slice(Call& call);
OrFault<Value> filter_sum(Call& call);

}  // namespace stepwell
