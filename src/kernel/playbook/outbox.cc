#include "stepwell/kernel/playbook/outbox.h"

#include <algorithm>
#include <functional>

#include "stepwell/kernel/playbook/fan_out.h"

namespace stepwell {

std::optional<TokenId> Outbox::take_token() {
  Few<TokenId>& agenda = state_.agenda;
  while (!agenda.empty()) {
    const TokenId id = agenda.front();
    if (agenda.size() > 1) std::ranges::pop_heap(agenda, std::greater());
    agenda.pop_back();
    Token* token = state_.tokens.find(id);
    if (token == nullptr) continue;
    if (token->state == TokenState::created) return id;
    if (token->state != TokenState::recheck) continue;
    token->state = TokenState::gated;
    return id;
  }
  return std::nullopt;
}

std::optional<std::pair<FanOutId, std::uint32_t>> Outbox::next_to_open() {
  if (const Watched* watched = state_.watched.get(); watched == nullptr || watched->can_open.empty()) {
    return std::nullopt;
  }
  Few<FanOutId>& waiting = state_.watched.write().can_open;
  while (!waiting.empty()) {
    const FanOutId id = waiting.front();
    FanOut* fan_out = state_.fan_outs.write().find(id);
    if (fan_out != nullptr) {
      if (const auto index = next_branch(definition_, *fan_out)) return std::pair(id, *index);
      fan_out->queued = false;
    }
    std::ranges::pop_heap(waiting, std::greater());
    waiting.pop_back();
  }
  return std::nullopt;
}

bool stands(const State& state, const Timer& timer) {
  switch (timer.kind) {
    case TimerKind::execution_deadline: return state.deadline == timer.at;
    case TimerKind::join_deadline: {
      const FanOut* fan_out = state.fan_outs->find({timer.id});
      return fan_out != nullptr && fan_out->deadline == timer.at;
    }
    case TimerKind::run_deadline: {
      const Run* run = state.runs.find({timer.id});
      return run != nullptr && run->deadline == timer.at;
    }
    case TimerKind::run_wake: {
      const Run* run = state.runs.find({timer.id});
      if (run == nullptr) return false;
      const auto* backoff = std::get_if<OpenBackoff>(&run->work);
      const auto* wait = std::get_if<OpenTimer>(&run->work);
      // While it is suspended nothing new is sent out.
      return (backoff != nullptr && backoff->at == timer.at && !state.suspended) ||
             (wait != nullptr && wait->at == timer.at);
    }
  }
  return false;
}

const Timer* Outbox::earliest_of_timers() {
  Timers& timers = state_.watched.write().timers;
  // Each run has at most two, each fan-out one: more than twice that are mostly dead.
  const std::size_t possible = 2 * state_.runs.size() + state_.fan_outs->size() + 1;
  if (timers.size() > 2 * possible + 64) timers.keep_if([&](const Timer& timer) { return stands(state_, timer); });
  while (const Timer* timer = timers.earliest()) {
    if (stands(state_, *timer)) return timer;
    timers.drop_earliest();
  }
  return nullptr;
}

}  // namespace stepwell
