#include "kernel_print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/kernel/playbook/words.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

namespace {

std::string json(const Value& value) { return to_json(value); }
std::string json(const EncodedValue& value) { return value.is_null() ? "" : " " + to_json(value.decode()); }
std::string args(const Value& value) {
  return value.is_null() || (value.is_map() && value.as_map().empty()) ? "" : " " + to_json(value);
}
std::string error(const RunError& error) {
  return fmt::format("{} {}: {}", class_word(error.error_class), error.kind, error.message);
}
std::string token(TokenId id) { return fmt::format("t{}", id.number); }
std::string scope(ScopeId id) { return id == kRootScope ? "root" : fmt::format("s{}", id.number); }
std::string fan_out(FanOutId id) { return fmt::format("f{}", id.number); }

std::string writes(const Writes& all, std::string_view root) {
  std::vector<std::string> parts;
  parts.reserve(all.size());
  for (const Write& write : all) {
    parts.push_back(fmt::format("{}{}{} = {}", root, write.path.str().starts_with('[') ? "" : ".", write.path.str(),
                                json(write.value)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

}  // namespace

std::string KernelPrinter::run(RunId id) const {
  const auto found = runs_.find(id);
  return found == runs_.end() ? fmt::format("run {}", id.number) : found->second;
}

RunId KernelPrinter::find_run(std::string_view name) const {
  for (const auto& [id, text] : runs_) {
    if (text == name) return id;
  }
  return {};
}

std::string KernelPrinter::time(Instant at) const { return "+" + (at - start_).str(); }

std::string KernelPrinter::waiting(const WaitingToken& token) const {
  return fmt::format("{}.{}", run(token.run), token.attempt);
}

std::string KernelPrinter::detail(const Event& event) {
  auto until = [&](const std::optional<Instant>& at) { return at ? fmt::format(" until {}", time(*at)) : ""; };
  return std::visit(
      Overloaded{
          [&](const WorkflowStarted& e) { return e.execution + args(e.workload); },
          [&](const WorkflowEnded& e) {
            std::string text(status_word(e.status));
            text += json(e.output);
            if (e.error) text += " " + error(**e.error);
            if (e.termination) text += fmt::format(" by {}: {}", step(e.termination->by), e.termination->reason);
            return e.reason.empty() ? text : text + " " + e.reason;
          },
          [&](const WorkflowFailing& e) { return error(*e.error); },
          [&](const WorkflowSuspended& e) { return e.reason; },
          [&](const WorkflowUnsuspended&) { return std::string(); },
          [&](const WorkflowFinishing& e) { return std::string(status_word(e.status)); },
          [&](const WorkflowYielded&) { return std::string(); },
          [&](const TokenCreated& e) {
            return fmt::format("{} {}{}{}", token(e.token), step(e.step),
                               e.scope == kRootScope ? "" : " in " + scope(e.scope), args(e.args));
          },
          [&](const TokenArgs& e) { return token(e.token) + args(e.args); },
          [&](const TokenGated& e) {
            std::string text = token(e.token);
            if (!e.missing.empty()) text += " needs " + e.missing;
            std::string_view before = e.missing.empty() ? " as " : ", with ";
            for (const GuardRead& read : e.reads) {
              text += fmt::format("{}{}{}", before, read.path, read.value ? " = " + json(*read.value) : "");
              before = ", ";
            }
            return text;
          },
          [&](const TokenDiscarded& e) { return token(e.token); },
          [&](const TokenParked& e) { return token(e.token); },
          [&](const StepStarted& e) {
            runs_[e.run] = fmt::format("{}#{}", step(e.step), e.ordinal);
            return run(e.run) + until(e.deadline);
          },
          [&](const StepDone& e) { return run(e.run) + json(e.output); },
          [&](const StepFailed& e) {
            return fmt::format("{} {}{}", run(e.run), error(*e.error), e.handled ? " (handled)" : "");
          },
          [&](const StepCancelled& e) { return run(e.run); },
          [&](const StepParked& e) { return fmt::format("{} {}", run(e.run), error(*e.error)); },
          [&](const StepRetryScheduled& e) {
            return fmt::format("{} at {} after {}", run(e.run), time(e.at), error(*e.error));
          },
          [&](const AttemptStarted& e) { return run(e.run) + until(e.deadline); },
          [&](const AttemptDeferred& e) { return fmt::format("{} at {}", run(e.run), time(e.at)); },
          [&](const AttemptReoffered& e) { return run(e.run); },
          [&](const AttemptAdvanced& e) { return run(e.run); },
          [&](const StepRetried& e) { return run(e.run); },
          [&](const CtxSet& e) {
            return (e.scope == kRootScope ? "" : scope(e.scope) + " ") + writes(e.writes, "ctx");
          },
          [&](const CtxPatched& e) { return json(e.patch); },
          [&](const IterSet& e) { return scope(e.scope) + " " + writes(e.writes, "iter"); },
          [&](const ReferenceSet& e) { return json(e.reference); },
          [&](const NextSelected& e) {
            std::vector<std::string> targets;
            targets.reserve(e.arcs.size());
            for (const std::uint32_t arc : e.arcs) targets.push_back(step(definition_->steps[e.step].arcs[arc].target));
            std::string text = fmt::format("{} -> {}", step(e.step),
                                           targets.empty() ? "nothing" : fmt::format("{}", fmt::join(targets, ", ")));
            if (e.token) text += " " + token(e.token);
            return text + args(e.args);
          },
          [&](const FanOutOpened& e) {
            std::size_t total = 0;
            for (const TakenArc& leg : e.legs) total += leg.items ? leg.items->as_list().size() : 1;
            const auto join = definition_->steps[e.step].joined_by;
            return fmt::format("{} {} {} branches{}{}", fan_out(e.fan_out), step(e.step), total,
                               join ? ", joined by " + step(*join) : "", until(e.deadline));
          },
          [&](const LoopOpened& e) {
            return fmt::format("{} {} {} iterations", fan_out(e.fan_out), run(e.run), e.items.as_list().size());
          },
          [&](const BranchOpened& e) {
            return fmt::format("{} {} {}", fan_out(e.fan_out), scope(e.scope), token(e.token));
          },
          [&](const BranchSettled& e) {
            return fmt::format("{} {}{}", scope(e.scope), settled_word(e.how), e.error ? " " + error(**e.error) : "");
          },
          [&](const BranchDetached& e) { return scope(e.scope); },
          [&](const FanOutClosed& e) { return fan_out(e.fan_out); },
          [&](const BlockOpened& e) { return fmt::format("{} {} {}", run(e.run), scope(e.scope), token(e.token)); },
          [&](const BlockClosed& e) { return scope(e.scope); },
          [&](const TimerStarted& e) { return fmt::format("{} until {}", run(e.run), time(e.at)); },
          [&](const SignalReceived& e) { return fmt::format("{} {}{}", e.id, e.name, json(e.payload)); },
          [&](const SignalAwaited& e) { return run(e.run); },
          [&](const SignalTaken& e) { return fmt::format("{} by {}", e.id, run(e.run)); },
          [&](const SignalMismatched& e) { return fmt::format("{} by {}: {}", e.id, run(e.run), e.message); },
          [&](const TaskCreated& e) { return run(e.run) + args(e.title) + args(e.payload); },
          [&](const TaskAssigned& e) { return fmt::format("{} to {}", run(e.run), e.assignee); },
          [&](const TaskReleased& e) { return run(e.run); },
          [&](const TaskCompleted& e) { return fmt::format("{} by {}", run(e.run), e.by); },
          [&](const TaskExpired& e) { return run(e.run); },
          [&](const TaskCancelled& e) { return run(e.run); },
          [&](const MessageSent& e) {
            return fmt::format("m{} {}{}", e.message.number, message_word(e.kind),
                               e.run ? " of " + run(e.run) : " to " + e.to);
          },
          [&](const MessageDelivered& e) { return fmt::format("m{}", e.message.number); },
          [&](const BlobsAwaited& e) { return fmt::format("{} {}", run(e.run), fmt::join(e.wait->blobs, ", ")); },
          [&](const ChildEnded& e) { return run(e.run) + args(e.child); },
          [&](const CommandAccepted& e) { return e.id; },
          [&](const WorkflowDeleted&) { return std::string(); },
      },
      event);
}

std::string KernelPrinter::line(const Event& event) {
  const std::string_view name = std::visit([](const auto& e) { return e.kName; }, event);
  const std::string text = detail(event);
  return text.empty() ? std::string(name) : fmt::format("{:<20} {}", name, text);
}

std::string KernelPrinter::line(const Effect& effect) const {
  return std::visit(
      Overloaded{
          [&](const OfferAttempt& e) {
            const auto& pipeline = definition_->steps[e.step].pipeline;
            const Value* task = e.cursor.find("task");
            const std::size_t at = task == nullptr ? 0 : static_cast<std::size_t>(task->as_int());
            return fmt::format("attempt {} {}{}{}", waiting(e.waiting_token), pipeline[at].kind, args(e.inputs),
                               e.cursor.is_null() ? "" : " from " + json(e.cursor));
          },
          [&](const CancelAttempt& e) { return fmt::format("cancel {}", waiting(e.waiting_token)); },
          [&](const WakeAt& e) { return e.at ? fmt::format("wake {}", time(*e.at)) : std::string("wake never"); },
          [&](const DeliverMessage& e) {
            return fmt::format("deliver m{} {}{}", e.message.number, message_word(e.kind), args(e.content));
          },
          [&](const LoadBlobs& e) {
            return fmt::format("load {} for {}", fmt::join(e.blobs, ", "), waiting(e.waiting_token));
          },
          [&](const YieldAgain&) { return std::string("yield"); },
      },
      effect);
}

}  // namespace stepwell
