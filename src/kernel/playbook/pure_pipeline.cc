#include "stepwell/kernel/playbook/pure_pipeline.h"

#include <algorithm>

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

}  // namespace

std::expected<PipelineEnd, RunError> run_pure_pipeline(const Scene& scene, const Step& step, const Value& cursor,
                                                       Ambient& ambient) {
  const bool plain = std::ranges::all_of(step.pipeline, [](const Task& task) { return task.rules.empty(); });
  if (plain) return PipelineEnd{};
  const Value inputs = attempt_inputs(scene, step);
  PipelineCursor begin = PipelineCursor::from_value(cursor, step.pipeline.size()).value_or(PipelineCursor());
  PipelineStepper stepper(step, inputs, std::move(begin), ambient);
  for (;;) {
    // A noop gives what was there before it.
    const auto next = stepper.settle({.result = stepper.cursor().previous});
    if (!next) return std::unexpected(expression_error(next.error()));
    switch (next->kind) {
      case PipelineNext::Kind::run: break;
      case PipelineNext::Kind::later: return PipelineEnd{.cursor = stepper.cursor().to_value(), .delay = next->delay};
      case PipelineNext::Kind::failed: return std::unexpected(pipeline_error(next->error));
      case PipelineNext::Kind::done:
        return PipelineEnd{
            .output = EncodedValue(next->result),
            .patches = {.ctx = stepper.cursor().ctx, .vars = stepper.cursor().vars, .iter = stepper.cursor().iter}};
    }
  }
}

}  // namespace stepwell
