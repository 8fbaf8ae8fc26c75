#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "stepwell/model/pipeline.h"
#include "stepwell/tools/tool.h"
#include "stepwell/tools/toolbox.h"
#include "stepwell/tools/used_secrets.h"
#include "stepwell/worker/attempt_offer.h"
#include "stepwell/worker/worker.h"

namespace stepwell {

// One attempt on its way through the pipeline: says which call to make next, and takes how it came out. Used by one
// thread at a time, but for stop(). Borrows the ports.
class Attempt {
 public:
  // A tool to be called. Borrows from the attempt.
  struct Pending {
    const Toolbox::Entry* tool = nullptr;
    ToolCall call = {};
  };
  using Next = std::variant<Pending, AttemptReport>;

  Attempt(AttemptOffer offer, const WorkerPorts& ports);

  const AttemptKey& key() const { return offer_.key; }
  // The tool of the task that it begins with; nullptr if that one needs none, or nobody has it.
  const Toolbox::Entry* first_tool() const;

  Next begin();
  // How the call that is pending came out.
  Next settle(TaskOutcome outcome);

  void stop() { stop_.request_stop(); }
  bool stopped() const { return stop_.stop_requested(); }

 private:
  class Lines;

  const Step& step() const { return offer_.definition->steps[offer_.step]; }
  std::optional<Next> restore();
  Next go_on(std::expected<PipelineNext, ExprError> next);
  // The call of the current task; nothing if it could not be made, and `outcome` says why.
  std::optional<Next> make_call(TaskOutcome& outcome);
  void note(TaskOutcome& outcome);
  bool is_late() const;

  AttemptReport report(AttemptReport::Outcome outcome) const;
  AttemptReport done(const Value& result);
  AttemptReport deferred(Duration delay);
  AttemptReport failed(const Value& error);
  AttemptReport failed_by(const ExprError& error);
  AttemptReport failed_late();
  AttemptReport failed_blobs(const std::string& reason);
  std::size_t inline_max() const;

  AttemptOffer offer_;
  const WorkerPorts& ports_;
  UsedSecrets secrets_;
  Ambient ambient_;
  std::stop_source stop_;
  std::optional<ToolTime> deadline_;
  std::optional<PipelineStepper> stepper_;
  std::deque<TaskReport> tasks_;

  // Of the call that is pending.
  Instant called_at_;
  std::shared_ptr<Lines> lines_;
};

}  // namespace stepwell
