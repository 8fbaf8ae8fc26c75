#include "stepwell/server/event_value.h"

#include <algorithm>

#include "stepwell/kernel/playbook/scene.h"
#include "stepwell/server/field_value.h"

namespace stepwell {

namespace {

std::string type_of(std::string_view name) {
  std::string type(name);
  std::ranges::replace(type, '.', '_');
  return type;
}

// Whether a run of this step is one or more attempts, and not what its iterations or its block's steps come to.
bool has_attempts(const Step& step, bool is_body) {
  switch (step.type) {
    case StepType::task:
    case StepType::human:
    case StepType::wait:
    case StepType::call: return !step.loop || is_body;
    case StepType::continue_with:
    case StepType::block:
    case StepType::terminate: return false;
  }
  return false;
}

// The attempt has failed, and that was told.
bool is_between_attempts(const OpenWork& work) {
  const auto* backoff = std::get_if<OpenBackoff>(&work);
  return std::holds_alternative<ParkedFailure>(work) || (backoff != nullptr && backoff->cursor.is_null());
}

class Teller {
 public:
  explicit Teller(const Instance& before) : state_(before.state), definition_(before.playbook->definition) {}

  std::vector<ToldEvent> operator()(const auto& event) { return {told(event)}; }

  std::vector<ToldEvent> operator()(const WorkflowEnded& event) {
    ToldEvent end{.type = "workflow_" + std::string(status_word(event.status))};
    add(end, "output", event.output.decode());
    if (event.error) add(end, "error", (*event.error)->to_value());
    add(end, "reason", event.reason);
    if (event.termination) {
      add(end, "termination_reason", event.termination->reason);
      add(end, "terminated_by", step(event.termination->by));
      add(end, "is_explicit", true);
    }
    return {std::move(end)};
  }

  std::vector<ToldEvent> operator()(const StepStarted& event) {
    ToldEvent started = told(event);
    const std::string run = run_name(definition_, Run{.step = event.step, .ordinal = event.ordinal});
    add(started, "run", run);
    const Token* token = state_.tokens.find(event.token);
    const bool is_body = token != nullptr && token->is_body;
    if (!has_attempts(definition_.steps[event.step], is_body)) return {std::move(started)};
    ToldEvent attempt{.type = "attempt_started"};
    add(attempt, "step", step(event.step));
    add(attempt, "run", run);
    add(attempt, "attempt", 1);
    if (event.deadline) add(attempt, "deadline", event.deadline->str());
    return {std::move(started), std::move(attempt)};
  }

  std::vector<ToldEvent> operator()(const AttemptStarted& event) {
    ToldEvent started = told(event);
    const Run* run = state_.runs.find(event.run);
    const auto* waited = run == nullptr ? nullptr : std::get_if<OpenBackoff>(&run->work);
    if (waited != nullptr && !waited->cursor.is_null()) started.type = "attempt_resumed";
    return {std::move(started)};
  }

  std::vector<ToldEvent> operator()(const StepRetryScheduled& event) { return with_attempt(event.run, told(event)); }
  std::vector<ToldEvent> operator()(const StepFailed& event) { return with_attempt(event.run, told(event)); }
  std::vector<ToldEvent> operator()(const StepParked& event) { return with_attempt(event.run, told(event)); }

  // The parked run never goes on: a fresh one takes its place.
  std::vector<ToldEvent> operator()(const StepRetried& event) {
    ToldEvent failed{.type = "step_failed"};
    add_run(failed, event.run);
    const Run* run = state_.runs.find(event.run);
    const auto* parked = run == nullptr ? nullptr : std::get_if<ParkedFailure>(&run->work);
    if (parked != nullptr) add(failed, "error", parked->error->to_value());
    return {std::move(failed), told(event)};
  }

 private:
  std::string step(StepIndex index) const { return definition_.steps[index].name; }

  static void add(ToldEvent& event, std::string_view name, Value value) {
    if (value.is_null() || (value.is_text() && value.as_text().empty())) return;
    event.members.push_back({name, std::move(value)});
  }

  void add_run(ToldEvent& event, RunId id) const {
    const Run* run = state_.runs.find(id);
    if (run == nullptr) return;
    add(event, "step", step(run->step));
    add(event, "run", run_name(definition_, *run));
    add(event, "attempt", static_cast<std::int64_t>(run->attempt));
  }

  void add_token(ToldEvent& event, TokenId id) const {
    add(event, "token", field_value(id));
    if (const Token* token = state_.tokens.find(id)) add(event, "step", step(token->step));
  }

  template <typename T>
  void add_field(ToldEvent& event, std::string_view name, const T& field) const {
    if constexpr (std::same_as<T, RunId>) {
      add_run(event, field);
    } else if constexpr (std::same_as<T, TokenId>) {
      add_token(event, field);
    } else if constexpr (std::same_as<T, StepIndex>) {
      add(event, name, name == "step" ? Value(step(field)) : field_value(field));
    } else {
      add(event, name, field_value(field));
    }
  }

  template <typename T>
  ToldEvent told(const T& event) const {
    ToldEvent result{.type = type_of(T::kName)};
    T::each_field([&](std::string_view name, auto member) {
      // The version of an event is that of the execution.
      const bool of_playbook = std::same_as<T, WorkflowStarted> && name == "version";
      add_field(result, of_playbook ? "playbook_version" : name, event.*member);
    });
    return result;
  }

  // A failure of the run is one of its attempt, unless that had failed before.
  std::vector<ToldEvent> with_attempt(RunId id, ToldEvent outcome) const {
    const Run* run = state_.runs.find(id);
    if (run == nullptr || !has_attempts(definition_.steps[run->step], is_body(*run)) ||
        is_between_attempts(run->work)) {
      return {std::move(outcome)};
    }
    ToldEvent attempt{.type = "attempt_failed"};
    add_run(attempt, id);
    for (const Member& member : outcome.members) {
      if (member.key() == "error") attempt.members.push_back(member);
    }
    return {std::move(attempt), std::move(outcome)};
  }

  bool is_body(const Run& run) const {
    const Token* token = state_.tokens.find(run.token);
    return token != nullptr && token->is_body;
  }

  const State& state_;
  const Definition& definition_;
};

}  // namespace

std::vector<ToldEvent> tell(const Instance& before, const Event& event) { return std::visit(Teller(before), event); }

}  // namespace stepwell
