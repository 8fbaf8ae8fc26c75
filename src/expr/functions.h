#pragma once

#include "stepwell/expr/builtin.h"

// What can be called without a subject.
namespace stepwell {

OrFault<Value> function_dict(Call& call);
OrFault<Value> function_now(Call& call);
OrFault<Value> function_random(Call& call);
OrFault<Value> function_range(Call& call);
OrFault<Value> function_secret(Call& call);
OrFault<Value> function_uuid(Call& call);

}  // namespace stepwell
