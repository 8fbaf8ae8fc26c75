#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "stepwell/kernel/playbook/applier.h"
#include "stepwell/kernel/playbook/decide.h"

namespace stepwell {

// The one door through which a decision changes anything: an event is recorded and applied at once, an effect is
// recorded. A pointer or reference into the state is good until the next emit.
class Outbox {
 public:
  Outbox(const Definition& definition, State& state, Decision& decision)
      : definition_(definition), state_(state), decision_(decision) {
    decision_.events.reserve(kUsualEvents);
  }

  const State& state() const { return state_; }
  template <typename Of>
    requires(!std::is_reference_v<Of>)
  void emit(Of&& event) {
    Applier(definition_, state_)(event);
    decision_.events.emplace_back(std::in_place_type<Of>, std::forward<Of>(event));
    if constexpr (std::is_same_v<Of, MessageSent>) sent_any_ = true;
  }
  // The same for writes to the ctx of the root whose outcome was computed before: it is not computed again.
  void emit(CtxSet&& event, Value&& ctx) {
    Applier(definition_, state_)(event, std::move(ctx));
    decision_.events.emplace_back(std::in_place_type<CtxSet>, std::move(event));
  }
  template <typename Of>
    requires(!std::is_reference_v<Of>)
  void ask(Of&& effect) {
    decision_.effects.emplace_back(std::in_place_type<Of>, std::forward<Of>(effect));
  }

  // The lowest token that is to be looked at, which from now on it is not.
  std::optional<TokenId> take_token();
  // The next branch of the lowest fan-out that may open one.
  std::optional<std::pair<FanOutId, std::uint32_t>> next_to_open();
  // The earliest timer that still stands.
  const Timer* earliest_timer() {
    const Watched* watched = state_.watched.get();
    return watched == nullptr || watched->timers.size() == 0 ? nullptr : earliest_of_timers();
  }
  // Whether a message was sent.
  bool sent_any() const { return sent_any_; }

 private:
  // Most decisions make no more: one piece of memory for all.
  static constexpr std::size_t kUsualEvents = 5;

  const Timer* earliest_of_timers();

  const Definition& definition_;
  State& state_;
  Decision& decision_;
  bool sent_any_ = false;
};

// Whether a timer is still wanted.
bool stands(const State& state, const Timer& timer);

}  // namespace stepwell
