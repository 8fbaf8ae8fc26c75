#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stepwell/model/pipeline.h"
#include "stepwell/tools/tool.h"
#include "stepwell/tools/toolbox.h"
#include "stepwell/tools/used_secrets.h"
#include "stepwell/worker/attempt_offer.h"
#include "stepwell/worker/worker.h"

namespace stepwell {

// One attempt on its way through the pipeline: says which call to make next, and takes how it came out. Used by one
// thread at a time, but for stop(). Borrows the ports.
//
//   go_on() ──► pending(): a call to be made ──► answer(), go_on() ──► ... ──► no call: take_report()
class Attempt {
 public:
  // A tool to be called. Borrows from the attempt.
  struct Pending {
    const Toolbox::Entry* tool = nullptr;
    ToolCall call = {};
  };

  Attempt(AttemptOffer offer, const WorkerPorts& ports);

  const AttemptKey& key() const { return offer_.key; }
  // The tool of the task that it begins with; nullptr if that one needs none, or nobody has it.
  const Toolbox::Entry* first_tool() const;

  // To the next call or to the end: from the beginning, or from what was answered. While a call waits for its answer
  // this changes nothing.
  void go_on();
  // The call that is to be made; nullptr if it has ended.
  Pending* pending() { return std::get_if<Pending>(&next_); }
  // How the call that is pending came out.
  void answer(TaskOutcome outcome) { answer_ = std::move(outcome); }
  // How it ended, once.
  AttemptReport take_report() { return std::move(std::get<AttemptReport>(next_)); }

  void stop() { stop_.request_stop(); }
  bool stopped() const { return stop_.stop_requested(); }

 private:
  class Lines;

  using Next = std::variant<std::monostate, Pending, AttemptReport>;

  const Step& step() const { return offer_.definition->steps[offer_.step]; }
  std::optional<Next> restore();
  Next begin();
  Next settle(TaskOutcome outcome);
  Next go_on(std::expected<PipelineNext, ExprError> next);
  // The call of the current task; nothing if it could not be made, and `outcome` says why.
  std::optional<Next> make_call(TaskOutcome& outcome);
  void note(TaskOutcome& outcome);
  bool is_late() const;

  AttemptReport report(AttemptReport::Outcome outcome);
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
  std::vector<TaskReport> tasks_;
  Next next_;  // nothing: it has not begun
  std::optional<TaskOutcome> answer_;

  // Of the call that is pending.
  Instant called_at_;
  std::shared_ptr<Lines> lines_;
};

}  // namespace stepwell
