#include "kernel_trace.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/words.h"

#include "kernel_print.h"
#include "plain.h"

namespace stepwell::reference {

namespace {

std::string text_of(const RunError& error) { return fmt::format("{} {}", class_word(error.error_class), error.kind); }

// The step to which the branch of this index leads.
StepIndex target_of(const Step& step, const FanOutOpened& fan_out, std::size_t index) {
  for (const TakenArc& leg : fan_out.legs) {
    const std::size_t size = leg.items ? leg.items->as_list().size() : 1;
    if (index < size) return step.arcs[leg.arc].target;
    index -= size;
  }
  return 0;
}

}  // namespace

std::string KernelTrace::place(TokenId token) const {
  const Where& where = tokens_.at(token);
  return fmt::format("{} @{}", name(where.step), path(where.scope));
}

void KernelTrace::hear(const Event& event) {
  std::visit([this](const auto& e) { on(e); }, event);
}

void KernelTrace::on(const TokenCreated& e) {
  tokens_[e.token] = {e.step, e.scope};
  if (e.past_join) tell(fmt::format("joined by {} {}", place(e.token), plain(e.args)));
}

void KernelTrace::on(const TokenGated& e) { tell(fmt::format("gated {} {}", place(e.token), e.missing)); }

void KernelTrace::on(const TokenDiscarded& e) { tell("discarded " + place(e.token)); }

void KernelTrace::on(const TokenParked& e) { tell("at join " + place(e.token)); }

void KernelTrace::on(const NextSelected& e) {
  if (e.arcs.empty()) return;
  std::string targets;
  for (const std::uint32_t arc : e.arcs) targets += " " + name(definition_.steps[e.step].arcs[arc].target);
  tell(fmt::format("next {} @{} ->{}", name(e.step), path(e.scope), targets));
  if (e.token) tokens_[e.token] = {definition_.steps[e.step].arcs[e.arcs.front()].target, e.scope};
}

void KernelTrace::on(const StepStarted& e) {
  runs_[e.run] = fmt::format("{}#{}", name(e.step), e.ordinal);
  runs_at_[e.run] = tokens_.at(e.token);
  tell(fmt::format("start {} @{}", name(e.run), path(tokens_.at(e.token).scope)));
}

void KernelTrace::on(const StepDone& e) { tell(fmt::format("done {} {}", name(e.run), plain(e.output.decode()))); }

void KernelTrace::on(const StepFailed& e) {
  tell(fmt::format("failed {} {}{}", name(e.run), text_of(*e.error), e.handled ? " handled" : ""));
}

void KernelTrace::on(const StepCancelled& e) { tell("cancelled " + name(e.run)); }

void KernelTrace::on(const StepParked& e) { tell(fmt::format("parked {} {}", name(e.run), text_of(*e.error))); }

void KernelTrace::on(const StepRetryScheduled& e) {
  tell(fmt::format("retry {} at {} after {}", name(e.run), time(e.at), text_of(*e.error)));
}

void KernelTrace::on(const MessageSent& e) {
  if (e.kind == MessageKind::start_child) {
    tell(fmt::format("call {} {}", name(e.run), plain(*e.content.find("input"))));
  }
}

void KernelTrace::on(const FanOutOpened& e) {
  fan_outs_[e.fan_out] = e;
  std::size_t total = 0;
  for (const TakenArc& leg : e.legs) total += leg.items ? leg.items->as_list().size() : 1;
  tell(fmt::format("fan {} @{} {}", name(e.step), path(e.scope), total));
}

void KernelTrace::on(const LoopOpened& e) { loops_[e.fan_out] = runs_at_.at(e.run); }

void KernelTrace::on(const BranchOpened& e) {
  const auto loop = loops_.find(e.fan_out);
  Where around;
  if (loop != loops_.end()) {
    around = loop->second;
    tokens_[e.token] = {around.step, e.scope};
  } else {
    const FanOutOpened& fan_out = fan_outs_.at(e.fan_out);
    around = {fan_out.step, fan_out.scope};
    tokens_[e.token] = {target_of(definition_.steps[fan_out.step], fan_out, e.index), e.scope};
  }
  paths_[e.scope] = fmt::format("{}/{}[{}]", path(around.scope), name(around.step), e.index);
}

void KernelTrace::on(const BlockOpened& e) {
  const Where& around = runs_at_.at(e.run);
  const ListIndex list = *definition_.steps[around.step].block;
  tokens_[e.token] = {definition_.lists[list].steps.front(), e.scope};
  paths_[e.scope] = path(around.scope) + "/block";
}

void KernelTrace::on(const BranchSettled& e) {
  if (e.how != Settled::cancelled) tell(fmt::format("branch @{} {}", path(e.scope), settled_word(e.how)));
}

void KernelTrace::on(const BranchDetached& e) { tell("detached @" + path(e.scope)); }

void KernelTrace::on(const WorkflowStarted& e) { started_at_ = e.at; }

void KernelTrace::on(const WorkflowFinishing& e) { tell(fmt::format("finishing {}", status_word(e.status))); }

void KernelTrace::on(const WorkflowEnded& e) {
  tell(fmt::format("ended {} {} {}", status_word(e.status), plain(e.output.decode()),
                   e.error ? text_of(**e.error) : ""));
}

std::vector<std::string> KernelTrace::take() { return std::exchange(lines_, {}); }

std::string KernelTrace::work(const stepwell::Run& run) const {
  struct Words {
    const KernelTrace& trace;
    const Run& run;
    std::string operator()(const Deciding&) const { return "?"; }
    std::string operator()(const OpenAttempt& open) const {
      return fmt::format("attempt {} {}", run.attempt, plain(open.inputs.is_null() ? Value::map({}) : open.inputs));
    }
    std::string operator()(const OpenBackoff& open) const { return "backoff " + trace.time(open.at); }
    std::string operator()(const OpenTimer& open) const { return "timer " + trace.time(open.at); }
    std::string operator()(const OpenSignal&) const { return "signal"; }
    std::string operator()(const OpenTask& open) const {
      return fmt::format("task {} {}", plain(open.title.decode()), plain(open.payload.decode()));
    }
    std::string operator()(const OpenCall&) const { return fmt::format("call {}", run.attempt); }
    std::string operator()(const OpenLoop&) const { return "loop"; }
    std::string operator()(const OpenBlock&) const { return "block"; }
    std::string operator()(const ParkedFailure& parked) const { return "parked " + text_of(*parked.error); }
    std::string operator()(const OpenBlobs&) const { return "blobs"; }
  };
  return std::visit(Words{*this, run}, run.work);
}

std::vector<std::string> KernelTrace::standing(const stepwell::State& state) const {
  std::vector<std::string> lines;
  if (state.phase == Phase::ended) return {"ctx " + plain(state.ctx)};
  state.runs.each([&](const Run& run) {
    lines.push_back(fmt::format("{} @{} {}{}", name(run.id), path(run.scope), work(run),
                                run.deadline ? " until " + time(*run.deadline) : ""));
  });
  state.tokens.each([&](const Token& token) {
    const std::string place = fmt::format("{} @{}", name(token.step), path(token.scope));
    if (stored(token.state) == TokenState::gated) lines.push_back("gated " + place);
    if (token.state == TokenState::created) lines.push_back("held " + place);
  });
  state.fan_outs->each([&](const FanOut& fan_out) {
    if (fan_out.is_loop) return;
    lines.push_back(fmt::format("fan {} @{} {} of {}{}", name(fan_out.step), path(fan_out.scope), fan_out.opened,
                                fan_out.total, fan_out.deadline ? " until " + time(*fan_out.deadline) : ""));
  });
  if (state.rarely) {
    for (const BufferedSignal& signal : state.rarely->signals) {
      lines.push_back("signal " + signal.name + plain(signal.payload.decode()));
    }
  }
  std::ranges::sort(lines);
  if (state.suspended) lines.emplace_back("suspended");
  lines.push_back("ctx " + plain(state.ctx));
  lines.push_back("reference " + plain(state.reference));
  return lines;
}

}  // namespace stepwell::reference
