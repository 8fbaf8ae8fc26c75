#pragma once

#include <string>
#include <vector>

#include "stepwell/runtime/instance.h"
#include "stepwell/store/rows.h"
#include "stepwell/value/value.h"

// Executions as values, for those outside (docs/reference/service.md).
namespace stepwell {

// As lists show it.
Value row_value(const ExecutionRow& row);

// What people and programs may want to know of a state, at one version: status, workload, ctx, reference, output, the
// results of steps, and where its tokens are.
Value state_value(const Instance& instance);

// The resume pointer: every token with its step, scope, run, attempt and cursor, and in words what it waits for.
Value tokens_value(const Instance& instance);

// Whether time or workers will move it on: attempts, timers, messages. Not the deadlines of what waits for others: who
// watches need not wait for those. The executions that it has called may move it, too.
bool moves_by_itself(const State& state);
std::vector<std::string> called_executions(const State& state);

}  // namespace stepwell
