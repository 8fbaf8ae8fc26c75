#include <optional>
#include <utility>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/scene.h"
#include "stepwell/runtime/execution_id.h"
#include "stepwell/runtime/load_instance.h"
#include "stepwell/server/local_methods.h"
#include "stepwell/server/params.h"

// Commands from outside. All take `command_id`, which makes a repetition harmless, and `expected_version`.
namespace stepwell {

namespace {

Value accepted(const std::string& execution, const Answer& answer) {
  return Value::map({{"execution", execution}, {"version", static_cast<std::int64_t>(answer.version)}});
}

// Asks the runtime. What was accepted before is not a problem of who asks again.
Answered<> decide(const Backing& backing, Request request) {
  const std::string execution = request.execution;
  const Answer answer = backing.runtime.ask(std::move(request));
  if (answer.kind == Answer::Kind::accepted) return accepted(execution, answer);
  if (answer.kind == Answer::Kind::refused && answer.refusal.code == RefusalCode::repeated) {
    return Value::map({{"execution", execution}, {"repeated", true}});
  }
  return std::unexpected(problem_of(answer));
}

Answered<Value> put_away(const Backing& backing, const Playbook& playbook, const Value& value) {
  if (!backing.put_away) return value;
  auto put = backing.put_away(value, playbook.definition.policy.inline_max);
  if (!put) return std::unexpected(Problem{"store_failed", std::move(put.error())});
  return *std::move(put);
}

// The same for an execution that there is, by the policy of its playbook.
Answered<Value> put_away(const Backing& backing, const std::string& text, const Value& value) {
  const auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(execution.error());
  const auto row = backing.store.find_execution(*execution);
  if (!row) return std::unexpected(problem_of(row.error()));
  const auto playbook = backing.runtime.playbooks().find((*row)->playbook, (*row)->playbook_version);
  if (!playbook) return std::unexpected(Problem{"not_found", playbook.error()});
  return put_away(backing, **playbook, value);
}

Answered<> command(const Backing& backing, Params& read, CommandBody body) {
  const std::string text = read.text("execution");
  Command made{.body = std::move(body),
               .id = read.text_or("command_id", ""),
               .expected_version = read.maybe_number("expected_version")};
  if (read.problem()) return std::unexpected(*read.problem());
  auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(std::move(execution.error()));
  return decide(backing, {.execution = *std::move(execution), .command = std::move(made)});
}

// The parked failure that is meant: of this step or run, else the last one.
Answered<RunId> find_parked(const Backing& backing, const std::string& text, const std::string& step) {
  const auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(execution.error());
  const auto loaded = load_instance(backing.store, backing.runtime.playbooks(), *execution);
  if (!loaded) return std::unexpected(problem_of(loaded.error()));
  RunId parked;
  if (*loaded != nullptr) {
    const Definition& definition = (*loaded)->playbook->definition;
    (*loaded)->state.runs.each([&](const Run& run) {
      if (!std::holds_alternative<ParkedFailure>(run.work)) return;
      if (step.empty() || step == definition.steps[run.step].name || step == run_name(definition, run)) parked = run.id;
    });
  }
  if (parked) return parked;
  return std::unexpected(
      Problem{"not_found", step.empty() ? fmt::format("no failure of '{}' waits for an operator", *execution)
                                        : fmt::format("no failure of step '{}' waits for an operator", step)});
}

}  // namespace

Answered<> start_execution(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string name = read.text("playbook");
  const auto version = read.maybe_number("version");
  std::string id = read.text_or("id", "");
  if (read.problem()) return std::unexpected(*read.problem());
  const auto playbook = backing.runtime.playbooks().find(
      name, version ? std::optional(static_cast<std::int64_t>(*version)) : std::nullopt);
  if (!playbook) return std::unexpected(Problem{"not_found", playbook.error()});
  const auto input = put_away(backing, **playbook, read.value("input"));
  if (!input) return std::unexpected(input.error());
  const bool fresh = id.empty();
  if (fresh) id = fresh_execution_id(backing.clock.now(), backing.dice.roll());
  Start start{.execution = id, .version = (*playbook)->version, .workload = *input};
  return decide(
      backing,
      {.execution = std::move(id), .command = {.body = std::move(start)}, .playbook = *playbook, .fresh = fresh});
}

Answered<> signal_execution(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string name = read.text("name");
  const std::string execution = read.text("execution");
  if (read.problem()) return std::unexpected(*read.problem());
  const auto payload = put_away(backing, execution, read.value("payload"));
  if (!payload) return std::unexpected(payload.error());
  Signal signal{.name = name, .payload = EncodedValue(*payload)};
  // A signal is known by its id wherever it goes.
  if (params.find("command_id") != nullptr) return command(backing, read, std::move(signal));
  const Value with_id = params.with("command_id", uuid_from(backing.dice.roll(), 0));
  Params named(with_id);
  return command(backing, named, std::move(signal));
}

Answered<> patch_execution(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string execution = read.text("execution");
  if (read.problem()) return std::unexpected(*read.problem());
  const auto patch = put_away(backing, execution, read.value("patch"));
  if (!patch) return std::unexpected(patch.error());
  return command(backing, read, PatchCtx{*patch});
}

Answered<> cancel_execution(const Backing& backing, const Value& params) {
  Params read(params);
  return command(backing, read, Cancel{read.text_or("reason", "")});
}

Answered<> suspend_execution(const Backing& backing, const Value& params) {
  Params read(params);
  return command(backing, read, Suspend{read.text_or("reason", "")});
}

Answered<> unsuspend_execution(const Backing& backing, const Value& params) {
  Params read(params);
  return command(backing, read, Unsuspend{});
}

Answered<> retry_execution(const Backing& backing, const Value& params) {
  Params read(params);
  const auto run = find_parked(backing, read.text("execution"), read.text_or("step", ""));
  if (read.problem()) return std::unexpected(*read.problem());
  if (!run) return std::unexpected(run.error());
  return command(backing, read, RetryRun{*run});
}

Answered<> skip_execution(const Backing& backing, const Value& params) {
  Params read(params);
  const auto run = find_parked(backing, read.text("execution"), read.text_or("step", ""));
  if (read.problem()) return std::unexpected(*read.problem());
  if (!run) return std::unexpected(run.error());
  return command(backing, read, SkipRun{*run, EncodedValue(read.value("output"))});
}

}  // namespace stepwell
