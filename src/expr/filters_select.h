#pragma once

#include "stepwell/expr/builtin.h"

// Filters that apply another filter or a test, named by text, to every item.
namespace stepwell {

OrFault<Value> filter_map(Call& call);
OrFault<Value> filter_reject(Call& call);
OrFault<Value> filter_rejectattr(Call& call);
OrFault<Value> filter_select(Call& call);
OrFault<Value> filter_selectattr(Call& call);

}  // namespace stepwell
