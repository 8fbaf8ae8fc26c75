#include "stepwell/model/pipeline.h"

#include <algorithm>
#include <cmath>

#include "stepwell/base/rng.h"
#include "stepwell/model/render_mapping.h"
#include "stepwell/model/shell_text.h"
#include "stepwell/model/tool_kinds.h"

namespace stepwell {

namespace {

// Of one attempt.
constexpr std::uint32_t kMaxJumps = 10'000;
// A day: whoever asks for more than that would stop the execution rather than delay it.
constexpr std::int64_t kLongestRetryAfter = 24 * 3600;

// Key by key.
Value over(const Value& base, const Value& top) {
  std::vector<Member> members(base.as_map().begin(), base.as_map().end());
  if (top.is_map()) members.insert(members.end(), top.as_map().begin(), top.as_map().end());
  return Value::map(std::move(members));
}

Value outcome_value(const TaskOutcome& outcome) {
  std::vector<Member> members = {{"status", outcome.ok ? "ok" : "error"},
                                 {"result", outcome.result},
                                 {"error", outcome.error},
                                 {"meta", outcome.meta}};
  if (!outcome.http.is_null()) members.push_back({"http", outcome.http});
  if (!outcome.exit.is_null()) members.push_back({"exit", outcome.exit});
  return Value::map(std::move(members));
}

Value error_value(std::string_view kind, std::string_view message) {
  return Value::map({{"kind", Value(kind)}, {"message", Value(message)}, {"retryable", false}});
}

}  // namespace

Duration retry_after(const Value& error) {
  const Value* seconds = error.find("retry_after");
  if (seconds == nullptr || !seconds->is_int()) return {};
  return Duration::seconds(std::clamp<std::int64_t>(seconds->as_int(), 0, kLongestRetryAfter)).value_or(Duration());
}

Duration backoff_delay(const Retry& retry, std::uint32_t next, double unit) {
  const double base = static_cast<double>(retry.delay.micros());
  double delay = 0;
  switch (retry.backoff) {
    case Backoff::none: return {};
    case Backoff::fixed: delay = base; break;
    case Backoff::linear: delay = base * (next - 1); break;
    case Backoff::exponential: delay = base * std::exp2(static_cast<double>(next - 2)); break;
  }
  if (retry.max_delay) delay = std::min(delay, static_cast<double>(retry.max_delay->micros()));
  delay *= 1 + retry.jitter * (2 * unit - 1);
  constexpr double kLongest = 100.0 * 365 * 24 * 3600 * 1e6;
  return Duration::micros(static_cast<std::int64_t>(std::clamp(delay, 0.0, kLongest)));
}

std::vector<Input> PipelineStepper::inputs_of(const Expression& expression, const Value* outcome,
                                              std::vector<Value>& made) {
  made.reserve(expression.names.size());
  auto keep = [&](Value value) { return Input(made.emplace_back(std::move(value))); };
  auto borrow = [](const Value* value) { return value == nullptr ? Input() : Input(*value); };
  std::vector<Input> inputs;
  inputs.reserve(expression.names.size());
  for (std::size_t i = 0; i < expression.names.size(); ++i) {
    switch (expression.names[i].kind) {
      case NameKind::vars: inputs.push_back(Input(cursor_.vars)); break;
      case NameKind::results: inputs.push_back(Input(cursor_.results)); break;
      case NameKind::previous: inputs.push_back(Input(cursor_.previous)); break;
      case NameKind::task: inputs.push_back(borrow(cursor_.results.find(expression.program.roots[i]))); break;
      case NameKind::task_name: inputs.push_back(keep(Value(task().label))); break;
      case NameKind::attempt: inputs.push_back(keep(static_cast<std::int64_t>(cursor_.attempt))); break;
      case NameKind::outcome: inputs.push_back(borrow(outcome)); break;
      case NameKind::args: inputs.push_back(keep(args())); break;
      default: inputs.push_back(borrow(inputs_.find(expression.program.roots[i]))); break;
    }
  }
  return inputs;
}

std::expected<Value, ExprError> PipelineStepper::evaluate(const Expression& expression, const Value* outcome) {
  std::vector<Value> made;
  const std::vector<Input> inputs = inputs_of(expression, outcome, made);
  return stepwell::evaluate(expression.program, inputs, ambient_);
}

std::expected<bool, ExprError> PipelineStepper::ask(const Expression& condition, const Value& outcome) {
  std::vector<Value> made;
  const std::vector<Input> inputs = inputs_of(condition, &outcome, made);
  return stepwell::ask(condition.program, inputs, ambient_);
}

std::expected<Value, ExprError> PipelineStepper::render(const Mapping& mapping, const Value* outcome) {
  auto each = [&](const Expression& expression) { return evaluate(expression, outcome); };
  return render_mapping(mapping, each);
}

// A command that is one text is code for a shell: what an expression puts into it is quoted, so that it stays data. In
// a list of arguments nothing needs that.
std::expected<Value, ExprError> PipelineStepper::render_command(const Mapping& mapping) {
  const auto* expression = std::get_if<Expression>(&mapping.shape);
  if (expression == nullptr) return render(mapping, nullptr);
  ShellText shell;
  ambient_.quoter = &shell;
  auto value = evaluate(*expression, nullptr);
  ambient_.quoter = nullptr;
  if (!value || expression->program.makes_text || !value->is_text()) return value;
  // All of it is one value.
  std::string text;
  append_shell_word(text, value->as_text());
  return Value(text);
}

// What `args` means in the current task: for one from the workbook the step's with the call's over them.
Value PipelineStepper::args() {
  if (args_) return *args_;
  const Value* given = inputs_.find("args");
  return given == nullptr ? Value::map({}) : *given;
}

std::expected<Value, ExprError> PipelineStepper::fields() {
  args_.reset();
  if (task().args) {
    auto own = render(*task().args, nullptr);
    if (!own) return own;
    args_ = over(args(), *own);
  }
  std::vector<Member> members;
  for (const auto& [name, field] : task().fields) {
    auto value = is_command(task().kind, name) ? render_command(field) : render(field, nullptr);
    if (!value) return value;
    members.push_back({Value(name), std::move(*value)});
  }
  return Value::map(std::move(members));
}

std::expected<const Rule*, ExprError> PipelineStepper::matching_rule(const Value& outcome) {
  for (const Rule& rule : task().rules) {
    if (!rule.when) return &rule;
    auto answer = ask(*rule.when, outcome);
    if (!answer) return std::unexpected(std::move(answer.error()));
    if (*answer) return &rule;
  }
  return nullptr;
}

// All patches are rendered against what was before the rule, then applied together.
std::expected<void, ExprError> PipelineStepper::patch(const Rule& rule, const Value& outcome) {
  std::array<Value, 3> made;
  const std::array<const std::optional<Mapping>*, 3> patches = {&rule.set_ctx, &rule.set_vars, &rule.set_iter};
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (!*patches[i]) continue;
    auto value = render(**patches[i], &outcome);
    if (!value) return std::unexpected(std::move(value.error()));
    made[i] = std::move(*value);
  }
  cursor_.ctx = over(cursor_.ctx, made[0]);
  cursor_.vars = over(cursor_.vars, made[1]);
  cursor_.iter = over(cursor_.iter, made[2]);
  return {};
}

PipelineNext PipelineStepper::move_to(std::uint32_t next, const TaskOutcome& outcome) {
  if (next == step_.pipeline.size()) return {.kind = PipelineNext::Kind::done, .result = outcome.result};
  cursor_.task = next;
  cursor_.attempt = 1;
  args_.reset();
  return {};
}

PipelineNext PipelineStepper::retry(const Rule& rule, const TaskOutcome& outcome) {
  if (cursor_.attempt >= static_cast<std::uint64_t>(rule.retry.max_attempts)) {
    if (outcome.ok)
      return {.kind = PipelineNext::Kind::failed, .error = error_value("retries", "no attempts are left")};
    return {.kind = PipelineNext::Kind::failed, .error = outcome.error};
  }
  ++cursor_.attempt;
  const double unit = rule.retry.jitter == 0 ? 0.5 : random_unit(ambient_.stamp.entropy, ambient_.draws++);
  const Duration delay = std::max(backoff_delay(rule.retry, cursor_.attempt, unit), retry_after(outcome.error));
  if (delay == Duration()) return {};
  return {.kind = PipelineNext::Kind::later, .delay = delay};
}

// A domain event is kept until the run ends: it goes out with the run's last attempt, or not at all.
std::expected<TaskOutcome, ExprError> PipelineStepper::emit_event() {
  auto given = fields();
  if (!given) return std::unexpected(std::move(given.error()));
  const Value* event = given->find("event");
  if (event == nullptr || !event->is_text() || event->as_text().empty()) {
    return TaskOutcome{.ok = false, .error = error_value("type", "the name of a domain event must be text")};
  }
  std::vector<Value> all(cursor_.emitted.as_list().begin(), cursor_.emitted.as_list().end());
  all.push_back(*given);
  cursor_.emitted = Value::list(std::move(all));
  return TaskOutcome{.result = std::move(*given)};
}

std::expected<PipelineNext, ExprError> PipelineStepper::run_pure_tasks() {
  while (task().pure) {
    // A noop gives what was there before it.
    std::expected<TaskOutcome, ExprError> outcome = TaskOutcome{.result = cursor_.previous};
    if (task().kind == "emit") {
      outcome = emit_event();
    } else if (task().args) {
      // Its rules may read them.
      if (auto rendered = fields(); !rendered) return std::unexpected(std::move(rendered.error()));
    }
    if (!outcome) return std::unexpected(std::move(outcome.error()));
    auto next = settle(*outcome);
    if (!next || next->kind != PipelineNext::Kind::run) return next;
  }
  return PipelineNext{};
}

std::expected<PipelineNext, ExprError> PipelineStepper::settle(const TaskOutcome& outcome) {
  // Only rules look at it.
  const Value seen = task().rules.empty() ? Value() : outcome_value(outcome);
  if (outcome.ok) {
    cursor_.previous = outcome.result;
    cursor_.results = cursor_.results.with(task().label, outcome.result);
  }
  auto rule = matching_rule(seen);
  if (!rule) return std::unexpected(std::move(rule.error()));
  if (*rule == nullptr) {
    if (!outcome.ok) return PipelineNext{.kind = PipelineNext::Kind::failed, .error = outcome.error};
    return move_to(cursor_.task + 1, outcome);
  }
  if (auto patched = patch(**rule, seen); !patched) return std::unexpected(std::move(patched.error()));
  switch ((*rule)->action) {
    case RuleAction::go_on: return move_to(cursor_.task + 1, outcome);
    case RuleAction::retry: return retry(**rule, outcome);
    case RuleAction::end: return PipelineNext{.kind = PipelineNext::Kind::done, .result = outcome.result};
    case RuleAction::fail:
      return PipelineNext{.kind = PipelineNext::Kind::failed,
                          .error = outcome.ok ? error_value("tool", "a rule failed the pipeline") : outcome.error};
    case RuleAction::jump: break;
  }
  if (++cursor_.jumps > kMaxJumps) {
    return PipelineNext{.kind = PipelineNext::Kind::failed,
                        .error = error_value("tool", "more jumps than a pipeline may make")};
  }
  return move_to(static_cast<std::uint32_t>((*rule)->to), outcome);
}

Value PipelineCursor::to_value() const {
  return Value::map({{"task", static_cast<std::int64_t>(task)},
                     {"attempt", static_cast<std::int64_t>(attempt)},
                     {"jumps", static_cast<std::int64_t>(jumps)},
                     {"vars", vars},
                     {"results", results},
                     {"previous", previous},
                     {"ctx", ctx},
                     {"iter", iter},
                     {"emitted", emitted}});
}

std::optional<PipelineCursor> PipelineCursor::from_value(const Value& value, std::size_t tasks) {
  PipelineCursor cursor;
  bool fits = value.is_map();
  auto number = [&](std::string_view key, std::int64_t bound, std::uint32_t& out) {
    const Value* found = value.find(key);
    fits = fits && found != nullptr && found->is_int() && found->as_int() >= 0 && found->as_int() < bound;
    if (fits) out = static_cast<std::uint32_t>(found->as_int());
  };
  auto keep = [&](std::string_view key, Kind kind, Value& out) {
    const Value* found = value.find(key);
    fits = fits && found != nullptr && found->kind() == kind;
    if (fits) out = *found;
  };
  number("task", static_cast<std::int64_t>(tasks), cursor.task);
  number("attempt", UINT32_MAX, cursor.attempt);
  number("jumps", UINT32_MAX, cursor.jumps);
  keep("vars", Kind::map, cursor.vars);
  keep("results", Kind::map, cursor.results);
  keep("ctx", Kind::map, cursor.ctx);
  keep("iter", Kind::map, cursor.iter);
  keep("emitted", Kind::list, cursor.emitted);
  if (const Value* previous = value.find("previous")) cursor.previous = *previous;
  return fits ? std::optional(std::move(cursor)) : std::nullopt;
}

}  // namespace stepwell
