#pragma once

#include <cstdint>

#include "stepwell/kernel/ids.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/value.h"

// One point of activity of an execution: a part of its State.
namespace stepwell {

// Numbers are in snapshots.
enum class TokenState : std::uint8_t {
  created = 1,  // to be looked at
  gated = 2,    // its guard was false
  running = 4,
  at_join = 5,
  recheck = 6,  // gated, and something that its guard reads has changed: to be looked at. Same as gated in a snapshot
};

constexpr bool known(TokenState value) {
  switch (value) {
    case TokenState::created:
    case TokenState::gated:
    case TokenState::running:
    case TokenState::at_join: return true;
    case TokenState::recheck: break;  // never written
  }
  return false;
}

inline TokenState stored(TokenState state) { return state == TokenState::recheck ? TokenState::gated : state; }

struct Token {
  TokenId id = {};
  StepIndex step = 0;
  TokenState state = TokenState::created;
  bool past_join = false;  // the join of its step has fired
  bool is_body = false;    // runs one iteration of its step's loop
  bool has_args = false;   // the computed defaults of its step are in its args
  ScopeId scope = {};
  RunId run = {};
  Value args = {};  // null: none

  // Derived: the other tokens of its scope.
  TokenId before = {};
  TokenId after = {};
  static constexpr void each_field(auto visit) {
    visit("id", &Token::id);
    visit("step", &Token::step);
    visit("state", &Token::state);
    visit("past_join", &Token::past_join);
    visit("is_body", &Token::is_body);
    visit("has_args", &Token::has_args);
    visit("scope", &Token::scope);
    visit("run", &Token::run);
    visit("args", &Token::args);
  }
};

}  // namespace stepwell
