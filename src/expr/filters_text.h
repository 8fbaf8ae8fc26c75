#pragma once

#include "stepwell/expr/builtin.h"

// Filters that make text from text. Most take any value and work on its text, as Jinja2's do.
namespace stepwell {

OrFault<Value> filter_capitalize(Call& call);
OrFault<Value> filter_center(Call& call);
OrFault<Value> filter_format(Call& call);
OrFault<Value> filter_indent(Call& call);
OrFault<Value> filter_lower(Call& call);
OrFault<Value> filter_replace(Call& call);
OrFault<Value> filter_string(Call& call);
OrFault<Value> filter_title(Call& call);
OrFault<Value> filter_trim(Call& call);
OrFault<Value> filter_truncate(Call& call);
OrFault<Value> filter_upper(Call& call);
OrFault<Value> filter_wordcount(Call& call);

}  // namespace stepwell
