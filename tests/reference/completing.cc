// The end of an execution: by quiescence, by terminate, or directly.
#include <algorithm>

#include <fmt/format.h>

#include "stepwell/model/render_mapping.h"

#include "interpreter.h"
#include "plain.h"

namespace stepwell::reference {

void Interpreter::complete_if_quiescent() {
  const bool live = std::ranges::any_of(world_.tokens, [](const auto& each) { return each.second.is_live(); });
  const bool open = std::ranges::any_of(world_.fan_outs, [](const auto& each) { return each.second.open; });
  if (!world_.ended && !live && !open) finish();
}

// Everything has come to rest: the final step if there is one, then the output.
void Interpreter::finish() {
  const Policy& policy = definition_.policy;
  if (!world_.finishing) {
    world_.status = "completed";
    if (world_.failure) {
      const bool partial = policy.on_failure == OnFailure::partial && world_.some_path_done && !world_.directly;
      world_.status = partial ? "partial" : "failed";
    }
    if (policy.final_step) {
      world_.finishing = true;
      world_.deadline.reset();
      line("finishing " + world_.status);
      new_token(*policy.final_step, kRoot, summary());
      return;
    }
  }
  std::optional<Error> error = world_.failure;
  if (world_.final_failure) {
    if (!error) error = world_.final_failure;
    if (world_.status != "failed") {
      world_.status = policy.on_final_failure == OnFinalFailure::partial ? "partial" : "failed";
    }
  }
  const auto output = render_output();
  if (!output) {
    world_.status = "failed";
    if (!error) error = output.error();
  }
  end(world_.status, error, output.value_or(Value()));
}

void Interpreter::end(const std::string& status, const std::optional<Error>& error, const Value& output) {
  cancel_in(kRoot);
  world_.ended = true;
  world_.status = status;
  line(fmt::format("ended {} {} {}", status, plain(output), error ? error->text() : ""));
}

// An engine error or the execution's timeout: nothing handles it.
void Interpreter::end_directly(const Error& error) {
  cancel_in(kRoot);
  world_.failures.push_back(error);
  world_.failure = error;
  world_.directly = true;
  if (world_.finishing) world_.status = "failed";
}

// An entry that reads a step that has not run is null.
std::expected<Value, Error> Interpreter::render_output() const {
  if (!definition_.output) return Value();
  auto entry = [&](const Expression& expression) -> Result {
    const bool has_not_run = std::ranges::any_of(expression.names, [&](const Name& name) {
      return name.kind == NameKind::step && find_step(kRoot, name.index).latest == nullptr;
    });
    auto value = evaluate(expression, kRoot, {});
    return value || !has_not_run ? value : Result(Value());
  };
  return render_mapping(*definition_.output, entry);
}

Value Interpreter::summary() const {
  std::vector<Member> counts;
  for (const auto& [step, count] : world_.counts) counts.push_back({Value(step_of(step).name), count});
  std::vector<Value> failures;
  for (const Error& error : world_.failures) failures.push_back(error.to_value());
  return Value::map({{"execution", "e1"},
                     {"status", Value(world_.status)},
                     {"counts", Value::map(std::move(counts))},
                     {"results_ref", "execution:e1"},
                     {"failures", Value::list(std::move(failures))}});
}

// Ends the execution now; in a detached branch only that.
void Interpreter::terminate(Run& run) {
  const Terminate& terminate = *step_of(run.step).terminate;
  const Run copy = run;
  const Token token = world_.tokens.at(run.token);
  const Extras extras = extras_of(token);
  std::optional<Error> error;
  Value output;
  if (const auto reason = render(terminate.reason, token.scope, extras); !reason) error = reason.error();
  if (!error && terminate.output) {
    auto rendered = render(*terminate.output, token.scope, extras);
    if (!rendered) error = rendered.error();
    if (rendered) output = *rendered;
  }
  std::optional<Error> failure = error;
  if (!failure && !terminate.success) failure = Error{.error_class = "transport", .kind = "terminated"};
  record(copy, {}, failure);
  world_.runs.erase(copy.id);
  world_.tokens.at(token.id).life = Life::over;
  line(failure ? fmt::format("failed {} {}{}", name(copy), failure->text(), error ? "" : " handled")
               : fmt::format("done {} null", name(copy)));
  if (in_detached(token.scope)) {
    int branch = token.scope;
    while (!world_.scopes.at(branch).detached) branch = world_.scopes.at(branch).parent;
    cancel_in(branch);
    world_.scopes.at(branch).settled = true;
    line(fmt::format("branch @{} ended", path(branch)));
    return;
  }
  if (!error && !terminate.output) {
    auto rendered = render_output();
    if (!rendered) error = rendered.error();
    if (rendered) output = *rendered;
  }
  end(error || !terminate.success ? "failed" : "completed", error, error ? Value() : output);
}

}  // namespace stepwell::reference
