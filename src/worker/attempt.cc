#include "stepwell/worker/attempt.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/base/limits.h"
#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/worker/attempt_error.h"

namespace stepwell {
namespace {

// The same for every attempt and offer of a run, and for every try of a task in one pass through the pipeline.
std::string idempotency_key(const AttemptOffer& offer, const std::string& step, const Task& task, std::uint32_t pass) {
  std::string parts;
  {
    CborWriter writer(parts);
    writer.list(3);
    writer.text(fmt::format("{}/{}#{}", offer.key.execution, step, offer.ordinal));
    writer.text(task.label);
    writer.integer(pass);
  }
  return sha256(parts).to_hex();
}

// The first pass is 1, and every jump begins another: between two jumps a pipeline only goes forward.
std::uint32_t pass_of(const PipelineCursor& cursor) { return cursor.jumps + 1; }

// Each member by itself, so that the map stays one.
std::expected<Value, std::string> put_members(const Value& map, std::size_t inline_max, Blobs& blobs) {
  if (map.weight() <= inline_max) return map;
  std::vector<Member> members;
  members.reserve(map.as_map().size());
  for (const Member& member : map.as_map()) {
    auto small = put_large_parts(member.value, inline_max, blobs);
    if (!small) return small;
    members.push_back({member.name, std::move(*small)});
  }
  return Value::map(std::move(members));
}

std::expected<Value, std::string> put_items(const Value& list, std::size_t inline_max, Blobs& blobs) {
  if (list.weight() <= inline_max) return list;
  std::vector<Value> items;
  items.reserve(list.as_list().size());
  for (const Value& item : list.as_list()) {
    auto small = item.is_map() ? put_members(item, inline_max, blobs) : put_large_parts(item, inline_max, blobs);
    if (!small) return small;
    items.push_back(std::move(*small));
  }
  return Value::list(std::move(items));
}

// Makes small what a pipeline wants written when its run ends.
std::expected<void, std::string> put_patches(PipelineCursor& cursor, std::size_t inline_max, Blobs& blobs) {
  for (Value* map : {&cursor.vars, &cursor.ctx, &cursor.iter}) {
    auto small = put_members(*map, inline_max, blobs);
    if (!small) return std::unexpected(std::move(small.error()));
    *map = std::move(*small);
  }
  auto emitted = put_items(cursor.emitted, inline_max, blobs);
  if (!emitted) return std::unexpected(std::move(emitted.error()));
  cursor.emitted = std::move(*emitted);
  return {};
}

// Makes all that a cursor holds small, and leaves it a cursor.
std::expected<void, std::string> put_cursor(PipelineCursor& cursor, std::size_t inline_max, Blobs& blobs) {
  if (auto put = put_patches(cursor, inline_max, blobs); !put) return put;
  auto results = put_members(cursor.results, inline_max, blobs);
  if (!results) return std::unexpected(std::move(results.error()));
  cursor.results = std::move(*results);
  auto previous = put_large_parts(cursor.previous, inline_max, blobs);
  if (!previous) return std::unexpected(std::move(previous.error()));
  cursor.previous = std::move(*previous);
  return {};
}

}  // namespace

// Makes whole lines of what a tool puts out, since a secret that comes in two pieces could not be recognised in either.
// Of a line without end the last part is kept.
class Attempt::Lines {
 public:
  Lines(const Attempt& attempt, std::string label) : attempt_(attempt), label_(std::move(label)) {}

  void take(std::string_view bytes) {
    open_ += bytes;
    const std::size_t end = open_.rfind('\n');
    if (end != open_.npos) {
      show(std::string_view(open_).substr(0, end));
      open_.erase(0, end + 1);
    }
    if (open_.size() > limits::kProgressBytes) open_.erase(0, open_.size() - limits::kProgressBytes);
  }

 private:
  void show(std::string_view lines) const {
    const std::string clean = attempt_.secrets_.redacted(std::string_view(text_of_bytes(lines)));
    std::string_view shown = clean;
    if (shown.size() > limits::kProgressBytes) {
      const std::size_t begin = shown.find('\n', shown.size() - limits::kProgressBytes);
      shown = begin == shown.npos ? std::string_view() : shown.substr(begin + 1);
    }
    if (!shown.empty()) attempt_.ports_.progress(attempt_.key(), label_, shown);
  }

  const Attempt& attempt_;
  std::string label_;
  std::string open_;
};

Attempt::Attempt(AttemptOffer offer, const WorkerPorts& ports)
    : offer_(std::move(offer)), ports_(ports), secrets_(ports.secrets) {
  CHECK(offer_.definition && offer_.step < offer_.definition->steps.size() && !step().pipeline.empty());
  ambient_.stamp = offer_.stamp;
  ambient_.secrets = &secrets_;
  if (offer_.deadline) {
    deadline_ =
        std::chrono::steady_clock::now() + std::chrono::microseconds((*offer_.deadline - ports_.now()).micros());
  }
}

const Toolbox::Entry* Attempt::first_tool() const {
  std::size_t first = 0;
  if (!offer_.cursor.is_null()) {
    const auto cursor = PipelineCursor::from_value(offer_.cursor, step().pipeline.size());
    if (cursor) first = cursor->task;
  }
  const Task& task = step().pipeline[first];
  return task.pure ? nullptr : ports_.tools.find(task.kind);
}

// Gets the cursor back that an earlier attempt handed over.
std::optional<Attempt::Next> Attempt::restore() {
  PipelineCursor cursor;
  if (!offer_.cursor.is_null()) {
    const auto whole = load_blobs_of(offer_.cursor, ports_.blobs);
    if (!whole) return failed_blobs(whole.error());
    auto read = PipelineCursor::from_value(*whole, step().pipeline.size());
    if (!read) {
      return failed(
          attempt_error(attempt_class::kEngine, "consistency", "the cursor does not fit the pipeline", false));
    }
    cursor = std::move(*read);
  }
  stepper_.emplace(step(), offer_.inputs, std::move(cursor), ambient_);
  return std::nullopt;
}

void Attempt::go_on() {
  if (std::holds_alternative<std::monostate>(next_)) {
    next_ = begin();
  } else if (answer_) {
    next_ = settle(*std::exchange(answer_, std::nullopt));
  }
}

Attempt::Next Attempt::begin() {
  if (auto wrong = restore()) return std::move(*wrong);
  return go_on(PipelineNext{});
}

Attempt::Next Attempt::settle(TaskOutcome outcome) {
  lines_.reset();
  if (is_late() && !outcome.ok) return failed_late();
  note(outcome);
  return go_on(stepper_->settle(outcome));
}

// To the next call or to the end. A call that cannot be made is an outcome like any other, so this is a loop.
Attempt::Next Attempt::go_on(std::expected<PipelineNext, ExprError> next) {
  while (true) {
    if (next && next->kind == PipelineNext::Kind::run) next = stepper_->run_pure_tasks();
    if (!next) return failed_by(next.error());
    switch (next->kind) {
      case PipelineNext::Kind::done: return done(next->result);
      case PipelineNext::Kind::failed: return failed(next->error);
      case PipelineNext::Kind::later: return deferred(next->delay);
      case PipelineNext::Kind::run: break;
    }
    if (is_late()) return failed_late();
    TaskOutcome outcome;
    if (auto call = make_call(outcome)) return std::move(*call);
    note(outcome);
    next = stepper_->settle(outcome);
  }
}

std::optional<Attempt::Next> Attempt::make_call(TaskOutcome& outcome) {
  const Task& task = stepper_->task();
  called_at_ = ports_.now();
  auto fields = stepper_->fields();
  if (!fields) return failed_by(fields.error());
  auto whole = load_blobs_of(*fields, ports_.blobs);
  if (!whole) return failed_blobs(whole.error());
  const Toolbox::Entry* tool = ports_.tools.find(task.kind);
  if (tool == nullptr) {
    outcome = stepwell::failed({.kind = "tool", .message = fmt::format("no tool '{}' is served here", task.kind)});
    return std::nullopt;
  }
  Pending pending{.tool = tool,
                  .call = {.kind = task.kind,
                           .fields = std::move(*whole),
                           .execution = offer_.key.execution,
                           .label = task.label,
                           .idempotency_key = idempotency_key(offer_, step().name, task, pass_of(stepper_->cursor())),
                           .deadline = deadline_,
                           .stop = stop_.get_token(),
                           .secrets = &secrets_}};
  if (ports_.progress) {
    lines_ = std::make_shared<Lines>(*this, task.label);
    pending.call.progress = [lines = lines_](std::string_view bytes) { lines->take(bytes); };
  }
  return pending;
}

// Takes from an outcome what may not get out, and keeps what is to be reported about it.
void Attempt::note(TaskOutcome& outcome) {
  const std::int64_t duration_ms = (ports_.now() - called_at_).micros() / 1000;
  outcome = secrets_.redacted(std::move(outcome));
  if (outcome.result.depth() >= limits::kDataDepth || outcome.error.depth() >= limits::kDataDepth) {
    outcome = stepwell::failed({.kind = "depth", .message = "what the tool answered nests too deep"});
  } else if (outcome.result.weight() > limits::kResultBytes) {
    outcome = too_large("what the tool answered", limits::kResultBytes);
  }
  const PipelineCursor& cursor = stepper_->cursor();
  if (!stepper_->task().rules.empty()) {
    outcome.meta = Value::map({{"attempt", static_cast<std::int64_t>(cursor.attempt)}, {"duration_ms", duration_ms}});
  }
  if (tasks_.size() == limits::kReportedTasks) tasks_.erase(tasks_.begin());
  tasks_.push_back({.label = stepper_->task().label,
                    .pass = pass_of(cursor),
                    .attempt = cursor.attempt,
                    .ok = outcome.ok,
                    .duration_ms = duration_ms});
}

bool Attempt::is_late() const { return deadline_ && std::chrono::steady_clock::now() >= *deadline_; }

std::size_t Attempt::inline_max() const { return static_cast<std::size_t>(offer_.definition->policy.inline_max); }

AttemptReport Attempt::report(AttemptReport::Outcome outcome) {
  return {.key = offer_.key, .outcome = outcome, .tasks = std::move(tasks_)};
}

AttemptReport Attempt::done(const Value& result) {
  const auto output = put_large_parts(result, inline_max(), ports_.blobs);
  if (!output) return failed_blobs(output.error());
  PipelineCursor cursor = stepper_->take_cursor();
  if (auto put = put_patches(cursor, inline_max(), ports_.blobs); !put) return failed_blobs(put.error());
  AttemptReport made = report(AttemptReport::Outcome::done);
  made.output = EncodedValue(*output);
  made.ctx = std::move(cursor.ctx);
  made.vars = std::move(cursor.vars);
  made.iter = std::move(cursor.iter);
  made.emitted = std::move(cursor.emitted);
  return made;
}

AttemptReport Attempt::deferred(Duration delay) {
  PipelineCursor cursor = stepper_->take_cursor();
  if (auto put = put_cursor(cursor, inline_max(), ports_.blobs); !put) return failed_blobs(put.error());
  AttemptReport made = report(AttemptReport::Outcome::deferred);
  made.cursor = cursor.to_value();
  made.delay = delay;
  return made;
}

AttemptReport Attempt::failed(const Value& error) {
  AttemptReport made = report(AttemptReport::Outcome::failed);
  const auto small = put_members(reported_error(error), inline_max(), ports_.blobs);
  made.error = small ? *small : attempt_error(attempt_class::kEngine, "blob", small.error(), true);
  return made;
}

AttemptReport Attempt::failed_by(const ExprError& error) { return failed(expression_error_value(error)); }

AttemptReport Attempt::failed_late() {
  return failed(attempt_error(error_class::kTimeout, "attempt", "the attempt did not end before its deadline", true));
}

AttemptReport Attempt::failed_blobs(const std::string& reason) {
  return failed(attempt_error(attempt_class::kEngine, "blob", reason, true));
}

}  // namespace stepwell
