#pragma once

#include "stepwell/model/definition.h"

namespace stepwell {

// Binds the names of every expression of a definition, and fills in what follows from them.
void bind_names(Definition& definition);

}  // namespace stepwell
