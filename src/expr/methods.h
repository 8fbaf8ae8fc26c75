#pragma once

#include "stepwell/expr/builtin.h"

// Python's methods of text and maps that the language allows.
namespace stepwell {

OrFault<Value> method_endswith(Call& call);
OrFault<Value> method_get(Call& call);
OrFault<Value> method_items(Call& call);
OrFault<Value> method_join(Call& call);
OrFault<Value> method_keys(Call& call);
OrFault<Value> method_lower(Call& call);
OrFault<Value> method_replace(Call& call);
OrFault<Value> method_split(Call& call);
OrFault<Value> method_startswith(Call& call);
OrFault<Value> method_strip(Call& call);
OrFault<Value> method_upper(Call& call);
OrFault<Value> method_values(Call& call);

}  // namespace stepwell
