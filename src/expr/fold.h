#pragma once

#include "stepwell/expr/tree.h"

namespace stepwell {

// The tree with every part that has only one possible value replaced by it. What would fail is left as it is: it may
// stand where it is never evaluated.
Tree fold_constants(Tree tree);

}  // namespace stepwell
