#pragma once

#include <compare>
#include <cstdint>

#include "stepwell/kernel/field.h"

namespace stepwell {

// A number that names one thing of one kind within an execution. Numbers are given in order of creation and never
// again; 0 is nobody.
template <typename Of>
struct Id {
  std::uint64_t number = 0;

  explicit operator bool() const { return number != 0; }
  Id next() const { return {number + 1}; }
  friend auto operator<=>(const Id&, const Id&) = default;
};

using TokenId = Id<struct TokenTag>;
using RunId = Id<struct RunTag>;
using ScopeId = Id<struct ScopeTag>;
using FanOutId = Id<struct FanOutTag>;
using MessageId = Id<struct MessageTag>;

inline constexpr ScopeId kRootScope = {1};

// The waiting token: names one offer of one open work item, never anything else before or after. The shard's epoch is
// added outside, by who knows it.
struct WaitingToken {
  RunId run = {};
  std::uint32_t attempt = 0;
  std::uint32_t offer = 0;

  friend bool operator==(const WaitingToken&, const WaitingToken&) = default;
  static constexpr void each_field(auto visit) {
    visit("run", &WaitingToken::run);
    visit("attempt", &WaitingToken::attempt);
    visit("offer", &WaitingToken::offer);
  }
};

}  // namespace stepwell
