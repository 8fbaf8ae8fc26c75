#pragma once

#include "stepwell/expr/tree.h"
#include "stepwell/value/path.h"

// `state` is another word for `ctx`. A definition knows only ctx, so that both spellings have the same hash and nobody
// behind the loader has to look for two names.
namespace stepwell {

// Writes ctx wherever a tree reads the state by its other name. A loop may call its items `state` and means these then.
// Answers the node that gives one of the two words a meaning of which nobody can say where it begins, as
// `{% set state = 1 %}` does; nullptr if there is none.
const Node* lower_state_alias(Node& root);

Path lower_state_alias(const Path& path);

// Whether a playbook can write there: something in ctx, but not the view of the last failure.
bool is_ctx_target(const Path& path);

}  // namespace stepwell
