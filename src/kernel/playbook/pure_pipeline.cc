#include "stepwell/kernel/playbook/pure_pipeline.h"

#include "stepwell/model/pipeline.h"

namespace stepwell {

namespace {

RunError pipeline_error(const Value& error) {
  auto text = [&](std::string_view key, std::string_view otherwise) {
    const Value* found = error.find(key);
    return std::string(found != nullptr && found->is_text() ? found->as_text() : otherwise);
  };
  return {.error_class = ErrorClass::transport,
          .kind = text("kind", "tool"),
          .message = text("message", "the pipeline failed"),
          .details = error};
}

RunError unreadable_cursor() {
  return {.error_class = ErrorClass::engine, .kind = "consistency", .message = "the cursor does not fit the pipeline"};
}

}  // namespace

OrFailure<PipelinePause> run_pure_tasks(const Step& step, const Value& inputs, const Value& cursor, Ambient& ambient) {
  PipelineCursor begin;
  if (!cursor.is_null()) {
    auto read = PipelineCursor::from_value(cursor, step.pipeline.size());
    // Parts of it are kept elsewhere, or it is none: a worker loads them, or says so. To begin anew would do again what
    // was done.
    if (!read && !step.pure) return PipelinePause{.kind = PipelinePause::Kind::tool};
    if (!read) return std::unexpected(unreadable_cursor());
    begin = std::move(*read);
  }
  if (!step.pipeline[begin.task].pure) return PipelinePause{.kind = PipelinePause::Kind::tool};
  PipelineStepper stepper(step, inputs, std::move(begin), ambient);
  const auto next = stepper.run_pure_tasks();
  if (!next) return std::unexpected(expression_error(next.error()));
  const PipelineCursor& at = stepper.cursor();
  switch (next->kind) {
    case PipelineNext::Kind::run: return PipelinePause{.kind = PipelinePause::Kind::tool, .cursor = at.to_value()};
    case PipelineNext::Kind::later:
      return PipelinePause{.kind = PipelinePause::Kind::later, .cursor = at.to_value(), .delay = next->delay};
    case PipelineNext::Kind::failed: return std::unexpected(pipeline_error(next->error));
    case PipelineNext::Kind::done: break;
  }
  return PipelinePause{.output = EncodedValue(next->result),
                       .patches = {.ctx = at.ctx, .vars = at.vars, .iter = at.iter, .emitted = at.emitted}};
}

}  // namespace stepwell
