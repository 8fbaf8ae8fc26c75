#pragma once

#include <string>
#include <vector>

#include "stepwell/expr/tree.h"

namespace stepwell {

// The built-ins that a tree names, sorted, each once: "filter:upper", "function:now", "method:split", "test:odd". From
// the tree and not from the program, so that they do not change with what the compiler folds. A name that is itself a
// value, as in map('upper'), is not among them.
std::vector<std::string> uses_of(const Node& root);

}  // namespace stepwell
