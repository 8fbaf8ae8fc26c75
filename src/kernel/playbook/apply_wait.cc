#include <algorithm>

#include "stepwell/kernel/playbook/applier.h"

namespace stepwell {

void Applier::operator()(const TimerStarted& event) {
  Run& run = state_.runs.at(event.run);
  set_work(run, OpenTimer{event.at});
  wait_until(run, event.at);
}

void Applier::operator()(const SignalReceived& event) {
  rarely().signals.push_back({.id = event.id, .name = event.name, .payload = event.payload, .at = event.at});
}

void Applier::operator()(const SignalAwaited& event) { set_work(state_.runs.at(event.run), OpenSignal{}); }

void Applier::operator()(const SignalTaken& event) {
  std::vector<BufferedSignal>& signals = rarely().signals;
  const auto taken = std::ranges::find(signals, event.id, &BufferedSignal::id);
  CHECK(taken != signals.end());
  signals.erase(taken);
  set_work(state_.runs.at(event.run), Deciding{});
}

// A note for people.
void Applier::operator()(const SignalMismatched&) {}

void Applier::operator()(const TaskCreated& event) {
  set_work(state_.runs.at(event.run),
           OpenTask{.title = EncodedValue(event.title), .payload = EncodedValue(event.payload)});
}

void Applier::operator()(const TaskAssigned& event) {
  std::get<OpenTask>(state_.runs.at(event.run).work).assignee = Value(event.assignee);
}

void Applier::operator()(const TaskReleased& event) {
  std::get<OpenTask>(state_.runs.at(event.run).work).assignee = {};
}

void Applier::operator()(const TaskCompleted& event) { set_work(state_.runs.at(event.run), Deciding{}); }

void Applier::operator()(const TaskExpired& event) { set_work(state_.runs.at(event.run), Deciding{}); }

void Applier::operator()(const TaskCancelled& event) { set_work(state_.runs.at(event.run), Deciding{}); }

void Applier::operator()(const MessageSent& event) {
  state_.last_message = event.message;
  rarely().outbox.add(
      {.id = event.message, .kind = event.kind, .run = event.run, .to = event.to, .content = event.content});
  if (event.kind == MessageKind::start_child) set_work(state_.runs.at(event.run), OpenCall{event.to});
}

void Applier::operator()(const MessageDelivered& event) { rarely().outbox.erase(event.message); }

void Applier::operator()(const ChildEnded& event) {
  Run& run = state_.runs.at(event.run);
  run.child = event.child;
  set_work(run, Deciding{});
}

// Its work is done, so no deadline is left.
void Applier::operator()(const BlobsAwaited& event) {
  Run& run = state_.runs.at(event.run);
  set_work(run, OpenBlobs{event.wait});
  run.deadline.reset();
  ++run.offer;
}

}  // namespace stepwell
