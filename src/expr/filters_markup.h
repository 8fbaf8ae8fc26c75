#pragma once

#include "stepwell/expr/builtin.h"

// Filters for text that goes into HTML, XML and URLs, and for layout.
namespace stepwell {

OrFault<Value> filter_escape(Call& call);
OrFault<Value> filter_striptags(Call& call);
OrFault<Value> filter_urlencode(Call& call);
OrFault<Value> filter_wordwrap(Call& call);
OrFault<Value> filter_xmlattr(Call& call);

}  // namespace stepwell
