#pragma once

#include "stepwell/expr/builtin.h"

// What can follow `is`. `defined` and `undefined` are not here: they ask about what is not a value.
namespace stepwell {

OrFault<Value> test_boolean(Call& call);
OrFault<Value> test_divisibleby(Call& call);
OrFault<Value> test_eq(Call& call);
OrFault<Value> test_even(Call& call);
OrFault<Value> test_false(Call& call);
OrFault<Value> test_filter(Call& call);
OrFault<Value> test_float(Call& call);
OrFault<Value> test_ge(Call& call);
OrFault<Value> test_gt(Call& call);
OrFault<Value> test_in(Call& call);
OrFault<Value> test_integer(Call& call);
OrFault<Value> test_iterable(Call& call);
OrFault<Value> test_le(Call& call);
OrFault<Value> test_lower(Call& call);
OrFault<Value> test_lt(Call& call);
OrFault<Value> test_mapping(Call& call);
OrFault<Value> test_ne(Call& call);
OrFault<Value> test_none(Call& call);
OrFault<Value> test_number(Call& call);
OrFault<Value> test_odd(Call& call);
OrFault<Value> test_sameas(Call& call);
OrFault<Value> test_string(Call& call);
OrFault<Value> test_test(Call& call);
OrFault<Value> test_true(Call& call);
OrFault<Value> test_upper(Call& call);

}  // namespace stepwell
