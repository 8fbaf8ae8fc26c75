#pragma once

#include "stepwell/kernel/playbook/state.h"
#include "stepwell/runtime/instance.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One token: {token, step, scope, state}, of one that runs also {run, attempt}, and of one that waits {wait, words} and
// what belongs to that kind of wait: at, deadline, signal, title, roles, assignee, child, error, guard, cursor.
Value token_value(const Instance& instance, const Token& token);

}  // namespace stepwell
