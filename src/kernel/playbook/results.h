#pragma once

#include "stepwell/kernel/playbook/scene.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// The latest ended run of a step as seen from a scope: in it, in what was closed into it, else outward. nullptr if
// there is none.
const StepResult* find_result(const State& state, ScopeId scope, StepIndex step);

// What the step's name means in expressions: {output, status, error, attempts}, and child for calls.
Value result_value(const Definition& definition, const EndedRun& ended);
Value result_value(const Definition& definition, const StepResult& result);

// Records what a step that some expression names has come to in a scope.
void keep_result(Scope& scope, StepResult result);

// Hands what a closing branch or iteration of a fan-out or loop, or a block (of none), knows to the scope around it. A
// step that ran in several branches of one fan-out has no single result there.
void fold_results(const Scope& closing, const FanOut* fan_out, Scope& around);

// Why a step that ran in several parts of `fan_out` has no single result, and where its results are.
std::string explain_several(const Definition& definition, StepIndex step, StepIndex fan_out);

// Adds the results of `outer` for steps that `scope` has none of.
void keep_missing_results(const Scope& outer, Scope& scope);

}  // namespace stepwell
