#include <algorithm>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/decider.h"
#include "stepwell/kernel/playbook/violation_text.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

namespace {

// Who may claim and complete a task.
Refused refuse_role(const Human& human, const Person& person) {
  const auto has = [&](const std::string& role) { return std::ranges::count(person.roles, role) != 0; };
  if (human.roles.empty() || std::ranges::any_of(human.roles, has)) return std::nullopt;
  return Refusal{RefusalCode::not_allowed,
                 fmt::format("'{}' has none of the roles {}", person.name, fmt::join(human.roles, ", "))};
}

Refusal no_such_task() { return {RefusalCode::not_found, "there is no such open task"}; }

}  // namespace

const Run* Decider::find_task(RunId id) const {
  const Run* run = state_.runs.find(id);
  return run != nullptr && std::holds_alternative<OpenTask>(run->work) ? run : nullptr;
}

Refused Decider::operator()(const ClaimTask& command) {
  const Run* run = find_task(command.run);
  if (run == nullptr) return no_such_task();
  const Human& human = *step_of(run->step).human;
  const std::string_view assignee = std::get<OpenTask>(run->work).assigned_to();
  if (auto refused = refuse_role(human, command.person)) return refused;
  if (!assignee.empty()) {
    return Refusal{RefusalCode::not_allowed, fmt::format("the task is claimed by '{}'", assignee)};
  }
  out_.emit(TaskAssigned{.run = command.run, .assignee = command.person.name});
  return std::nullopt;
}

Refused Decider::operator()(const AssignTask& command) {
  if (find_task(command.run) == nullptr) return no_such_task();
  if (!command.person.operator_rights) {
    return Refusal{RefusalCode::not_allowed, "only an operator assigns a task to somebody"};
  }
  out_.emit(TaskAssigned{.run = command.run, .assignee = command.assignee});
  return std::nullopt;
}

Refused Decider::operator()(const ReleaseTask& command) {
  const Run* run = find_task(command.run);
  if (run == nullptr) return no_such_task();
  const std::string_view assignee = std::get<OpenTask>(run->work).assigned_to();
  if (assignee.empty()) return Refusal{RefusalCode::not_allowed, "nobody has claimed the task"};
  if (assignee != command.person.name && !command.person.operator_rights) {
    return Refusal{RefusalCode::not_allowed, fmt::format("the task is claimed by '{}'", assignee)};
  }
  out_.emit(TaskReleased{command.run});
  return std::nullopt;
}

Refused Decider::operator()(const CompleteTask& command) {
  const Run* run = find_task(command.waiting_token.run);
  if (run == nullptr || run->waiting_token() != command.waiting_token) {
    return Refusal{RefusalCode::stale, "the task is not open any more"};
  }
  const RunId id = run->id;
  const Human& human = *step_of(run->step).human;
  const std::string_view assignee = std::get<OpenTask>(run->work).assigned_to();
  if (auto refused = refuse_role(human, command.person)) return refused;
  if (!human.roles.empty() && assignee.empty()) {
    return Refusal{RefusalCode::not_allowed, "claim the task before you complete it"};
  }
  if (!assignee.empty() && assignee != command.person.name) {
    return Refusal{RefusalCode::not_allowed, fmt::format("the task is claimed by '{}'", assignee)};
  }
  if (human.form && !human.form->accepts(command.answer)) {
    return Refusal{RefusalCode::invalid,
                   fmt::format("the answer does not fit the form: {}", violation_text(*human.form, command.answer))};
  }
  if (!human.options.empty() && std::ranges::none_of(human.options, [&](const Value& option) {
        return *option.find("value") == command.option;
      })) {
    return Refusal{RefusalCode::invalid, fmt::format("{} is not one of the options", to_json(command.option))};
  }
  out_.emit(TaskCompleted{.run = id, .by = command.person.name});
  end_done(id,
           EncodedValue(Value::map({{"answer", command.answer},
                                    {"option", command.option},
                                    {"completed_by", Value(command.person.name)},
                                    {"completed_at", Value(now_.str())}})),
           {});
  return std::nullopt;
}

}  // namespace stepwell
