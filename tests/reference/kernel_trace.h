#pragma once

#include <map>
#include <string>
#include <vector>

#include "stepwell/kernel/playbook/decide.h"

namespace stepwell::reference {

// What the kernel does, in the words in which the reference interpreter tells it.
class KernelTrace {
 public:
  explicit KernelTrace(const Definition& definition) : definition_(definition) {}

  void hear(const Event& event);
  // What was heard since the last time.
  std::vector<std::string> take();
  std::vector<std::string> standing(const stepwell::State& state) const;

 private:
  struct Where {
    StepIndex step = 0;
    ScopeId scope = {};
  };

  std::string name(RunId run) const { return runs_.at(run); }
  std::string name(StepIndex step) const { return definition_.steps[step].name; }
  std::string path(ScopeId scope) const { return paths_.at(scope); }
  std::string place(TokenId token) const;
  std::string time(Instant at) const { return "+" + (at - started_at_).str(); }
  std::string work(const stepwell::Run& run) const;
  void tell(std::string line) { lines_.push_back(std::move(line)); }

  void on(const TokenCreated& e);
  void on(const TokenGated& e);
  void on(const TokenDiscarded& e);
  void on(const TokenParked& e);
  void on(const NextSelected& e);
  void on(const StepStarted& e);
  void on(const StepDone& e);
  void on(const StepFailed& e);
  void on(const StepCancelled& e);
  void on(const StepParked& e);
  void on(const StepRetryScheduled& e);
  void on(const MessageSent& e);
  void on(const FanOutOpened& e);
  void on(const LoopOpened& e);
  void on(const BranchOpened& e);
  void on(const BlockOpened& e);
  void on(const BranchSettled& e);
  void on(const BranchDetached& e);
  void on(const WorkflowStarted& e);
  void on(const WorkflowFinishing& e);
  void on(const WorkflowEnded& e);
  // All others say nothing that the specification speaks of, or nothing that is not seen otherwise.
  void on(const auto&) {}

  const Definition& definition_;
  Instant started_at_;
  std::vector<std::string> lines_;
  std::map<TokenId, Where> tokens_;
  std::map<RunId, std::string> runs_;
  std::map<RunId, Where> runs_at_;
  std::map<ScopeId, std::string> paths_ = {{kRootScope, ""}};
  std::map<FanOutId, FanOutOpened> fan_outs_;
  std::map<FanOutId, Where> loops_;
};

}  // namespace stepwell::reference
