#pragma once

#include <expected>
#include <vector>

#include "stepwell/expr/builtin.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/kernel/playbook/run_error.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// How a run has ended, before the state knows it. Borrows what it names.
struct EndedRun {
  StepIndex step = 0;
  std::uint32_t attempts = 0;
  const EncodedValue& output;
  const Value& child;
  const RunError* error = nullptr;  // of one that has failed

  bool failed() const { return error != nullptr; }
};

struct OpeningBranch {
  StepIndex step = 0;  // that fans out
  std::string_view as = {};
  std::uint32_t index = 0;
  std::uint32_t total = 0;
  Value item = {};
};

// Where an expression of a playbook stands while it is evaluated: everything that its names can mean. Borrows all it is
// given. What is not set is not there.
struct Scene {
  const Definition& definition;
  const State& state;
  ScopeId scope = {};
  const Value* args = nullptr;
  const Run* run = nullptr;

  const Value* vars = nullptr;
  const Value* signal = nullptr;
  // What has been written but is not in the state yet: ctx as it will be, and more members of iter.
  const Value* ctx = nullptr;
  const Value* iter = nullptr;
  // The run just ended: what output, error, outcome, event and its own step's name mean, before it is in the state.
  const EndedRun* ended = nullptr;
  // A branch that is about to open.
  const OpeningBranch* opening = nullptr;
};

// Evaluates an expression. An error has class expression and names text and place.
struct SceneError {
  RunError error = {};
  std::optional<Path> missing = {};  // what was undefined, if it starts at a name
};
using Evaluated = std::expected<Value, Boxed<SceneError>>;

// That a value nests too deep.
[[gnu::cold]] RunError too_deep(std::string_view what, std::size_t most);

// What an expression failed with, as the error of a run.
[[gnu::cold]] RunError expression_error(const ExprError& error);

Evaluated evaluate(const Scene& scene, const Expression& expression, Ambient& ambient);
// The same, for a condition.
std::expected<bool, Boxed<SceneError>> ask(const Scene& scene, const Expression& condition, Ambient& ambient);
Evaluated render(const Scene& scene, const Mapping& mapping, Ambient& ambient);

// What a guard reads, and what that is now: at most limits::kGuardReads, without `missing`.
std::vector<GuardRead> guard_reads(const Scene& scene, const Expression& guard, std::string_view missing);

// What the expressions of a step's pipeline read of the execution: a map by name.
Value attempt_inputs(const Scene& scene, const Step& step);

// The ctx that is seen from a scope.
OrFailure<Value> visible_ctx(const State& state, ScopeId scope);
// What the overlay of an isolated branch builds on its own.
Value overlay_tree(const Scope& scope);
// What a scope leaves behind: what was written in it, else the output of its last ended run, else its item.
EncodedValue scope_output(const Scope& scope);

// What `_branch`, `iter` and the names of items mean in a scope: a map by name.
Value names_around(const Definition& definition, const State& state, ScopeId scope);

// The text that names a run: "fetch#2".
std::string run_name(const Definition& definition, const Run& run);

}  // namespace stepwell
