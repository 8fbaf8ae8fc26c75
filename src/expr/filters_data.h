#pragma once

#include "stepwell/expr/builtin.h"

// Filters and functions for data: fallbacks, putting together, and other forms of the same bytes.
namespace stepwell {

OrFault<Value> filter_b64decode(Call& call);
OrFault<Value> filter_b64encode(Call& call);
OrFault<Value> filter_coalesce(Call& call);
OrFault<Value> filter_concat(Call& call);
OrFault<Value> filter_default(Call& call);
OrFault<Value> filter_fromjson(Call& call);
OrFault<Value> filter_merge(Call& call);
OrFault<Value> filter_sha256(Call& call);
OrFault<Value> filter_tojson(Call& call);

}  // namespace stepwell
