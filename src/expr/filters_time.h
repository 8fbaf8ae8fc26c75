#pragma once

#include "stepwell/expr/builtin.h"

// Filters for instants and durations. An instant is RFC 3339 text (or a date, which is its midnight in UTC) or a number
// of seconds since 1970; a duration is text such as `1h30m` or a number of seconds. Answers are RFC 3339 text in UTC,
// and seconds as an integer when they are whole.
namespace stepwell {

OrFault<Value> filter_datetime(Call& call);
OrFault<Value> filter_datetime_add(Call& call);
OrFault<Value> filter_datetime_diff(Call& call);
OrFault<Value> filter_datetime_sub(Call& call);
OrFault<Value> filter_duration(Call& call);
OrFault<Value> filter_strftime(Call& call);
OrFault<Value> filter_timestamp(Call& call);

}  // namespace stepwell
