#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/base/duration.h"
#include "stepwell/expr/builtin.h"
#include "stepwell/expr/error.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/value.h"

namespace stepwell {

// Where a pipeline stands between two of its tasks, with all it has made so far.
struct PipelineCursor {
  std::uint32_t task = 0;     // to run next
  std::uint32_t attempt = 1;  // of that task; counted anew when another task runs
  std::uint32_t jumps = 0;
  Value vars = Value::map({});
  Value results = Value::map({});  // the last ok result of each task, by label
  Value previous;                  // the last ok result
  Value ctx = Value::map({});      // patches so far: maps of path -> value
  Value iter = Value::map({});
  Value emitted = Value::list({});  // domain events so far, each {event, value?, key?}

  Value to_value() const;
  // Nothing if the value is no cursor of a pipeline with that many tasks.
  static std::optional<PipelineCursor> from_value(const Value& value, std::size_t tasks);
};

// How a task came out.
struct TaskOutcome {
  bool ok = true;
  Value result = {};
  Value error = {};  // {kind, code, message, retryable, retry_after?, details}
  Value meta = {};   // {attempt, duration_ms}
  Value http = {};
  Value exit = {};
};

// What a pipeline does after a task.
struct PipelineNext {
  enum class Kind : std::uint8_t { run, later, done, failed };
  Kind kind = Kind::run;
  Duration delay = {};  // later: how long to wait before the cursor's task runs
  Value result = {};    // done
  Value error = {};     // failed: as in TaskOutcome
};

// Steps through a pipeline: what runs next, with which fields, and what its rules make of each outcome. It runs no tool
// and knows no clock, so the kernel (for tasks without a tool) and workers share it.
class PipelineStepper {
 public:
  // `inputs` is a map of what the pipeline reads of the execution, by name. Borrows all it is given.
  PipelineStepper(const Step& step, const Value& inputs, PipelineCursor cursor, Ambient& ambient)
      : step_(step), inputs_(inputs), cursor_(std::move(cursor)), ambient_(ambient) {}

  const Task& task() const { return step_.pipeline[cursor_.task]; }
  const PipelineCursor& cursor() const { return cursor_; }
  // The same, when nothing will be asked of the stepper any more.
  PipelineCursor take_cursor() { return std::move(cursor_); }

  // The fields of the current task, rendered: a map.
  std::expected<Value, ExprError> fields();
  // Runs tasks that need no tool until one does (`run`), the pipeline waits, or it ends. So a pipeline may begin in the
  // kernel and go on at a worker.
  std::expected<PipelineNext, ExprError> run_pure_tasks();
  // Asks the rules of the current task about its outcome, applies the patches of the one that matches, and moves on.
  std::expected<PipelineNext, ExprError> settle(const TaskOutcome& outcome);

 private:
  // What the names of an expression mean here. `made` holds what they borrow.
  std::vector<Input> inputs_of(const Expression& expression, const Value* outcome, std::vector<Value>& made);
  std::expected<Value, ExprError> evaluate(const Expression& expression, const Value* outcome);
  std::expected<Value, ExprError> render(const Mapping& mapping, const Value* outcome);
  std::expected<Value, ExprError> render_command(const Mapping& mapping);
  std::expected<bool, ExprError> ask(const Expression& condition, const Value& outcome);
  std::expected<TaskOutcome, ExprError> emit_event();
  std::expected<const Rule*, ExprError> matching_rule(const Value& outcome);
  std::expected<void, ExprError> patch(const Rule& rule, const Value& outcome);
  Value args();
  PipelineNext move_to(std::uint32_t task, const TaskOutcome& outcome);
  PipelineNext retry(const Rule& rule, const TaskOutcome& outcome);

  const Step& step_;
  const Value& inputs_;
  PipelineCursor cursor_;
  Ambient& ambient_;
  std::optional<Value> args_;  // of the current task, once rendered
};

// How long to wait before attempt `next` (2 is the first retry). `unit` is a random number from 0 to 1.
Duration backoff_delay(const Retry& retry, std::uint32_t next, double unit);

// How long the other side asks to be left alone: `retry_after`, in seconds, of a task's error, or of the details of a
// failed attempt. At most a day.
Duration retry_after(const Value& error);

}  // namespace stepwell
