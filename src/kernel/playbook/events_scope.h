#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/base/few.h"
#include "stepwell/base/instant.h"
#include "stepwell/kernel/field.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/run_error.h"
#include "stepwell/kernel/playbook/write.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/value.h"

namespace stepwell {

// Business state was written: in the overlay of the scope's branch if it is isolated.
struct CtxSet {
  static constexpr std::uint8_t kTag = 30;
  static constexpr std::string_view kName = "ctx.set";
  ScopeId scope = {};
  Writes writes = {};
  static constexpr void each_field(auto visit) {
    visit("scope", &CtxSet::scope);
    visit("writes", &CtxSet::writes);
  }
};

struct CtxPatched {
  static constexpr std::uint8_t kTag = 31;
  static constexpr std::string_view kName = "ctx.patched";
  Value patch = {};
  static constexpr void each_field(auto visit) { visit("patch", &CtxPatched::patch); }
};

struct IterSet {
  static constexpr std::uint8_t kTag = 32;
  static constexpr std::string_view kName = "iter.set";
  ScopeId scope = {};
  Writes writes = {};
  static constexpr void each_field(auto visit) {
    visit("scope", &IterSet::scope);
    visit("writes", &IterSet::writes);
  }
};

struct ReferenceSet {
  static constexpr std::uint8_t kTag = 33;
  static constexpr std::string_view kName = "reference.set";
  Value reference = {};
  static constexpr void each_field(auto visit) { visit("reference", &ReferenceSet::reference); }
};

// An arc that was taken. Its args are one value, or one for each item if they depend on it.
struct TakenArc {
  std::uint32_t arc = 0;
  Value args = {};
  bool args_per_item = false;
  std::optional<Value> items = {};  // of a foreach: a list

  friend bool operator==(const TakenArc&, const TakenArc&) = default;
  static constexpr void each_field(auto visit) {
    visit("arc", &TakenArc::arc);
    visit("args", &TakenArc::args);
    visit("args_per_item", &TakenArc::args_per_item);
    visit("items", &TakenArc::items);
  }
};

using TakenArcs = Few<TakenArc>;

// Which arcs a run takes. A single one without foreach that is not joined makes its token here; otherwise a fan-out
// follows. None: the token has ended.
struct NextSelected {
  static constexpr std::uint8_t kTag = 40;
  static constexpr std::string_view kName = "next.selected";
  StepIndex step = 0;
  ScopeId scope = {};
  std::uint32_t asked = 0;  // how many of the candidates were evaluated
  Few<std::uint32_t> arcs = {};
  TokenId token = {};
  Value args = {};
  static constexpr void each_field(auto visit) {
    visit("step", &NextSelected::step);
    visit("scope", &NextSelected::scope);
    visit("asked", &NextSelected::asked);
    visit("arcs", &NextSelected::arcs);
    visit("token", &NextSelected::token);
    visit("args", &NextSelected::args);
  }
};

struct FanOutOpened {
  static constexpr std::uint8_t kTag = 41;
  static constexpr std::string_view kName = "fanout.opened";
  FanOutId fan_out = {};
  StepIndex step = 0;
  ScopeId scope = {};
  TakenArcs legs = {};
  std::optional<Instant> deadline = {};  // of its join
  static constexpr void each_field(auto visit) {
    visit("fan_out", &FanOutOpened::fan_out);
    visit("step", &FanOutOpened::step);
    visit("scope", &FanOutOpened::scope);
    visit("legs", &FanOutOpened::legs);
    visit("deadline", &FanOutOpened::deadline);
  }
};

struct LoopOpened {
  static constexpr std::uint8_t kTag = 42;
  static constexpr std::string_view kName = "loop.opened";
  FanOutId fan_out = {};
  RunId run = {};
  Value items = {};
  static constexpr void each_field(auto visit) {
    visit("fan_out", &LoopOpened::fan_out);
    visit("run", &LoopOpened::run);
    visit("items", &LoopOpened::items);
  }
};

// The next branch or iteration, with the token that begins it.
struct BranchOpened {
  static constexpr std::uint8_t kTag = 43;
  static constexpr std::string_view kName = "branch.opened";
  FanOutId fan_out = {};
  std::uint32_t index = 0;
  ScopeId scope = {};
  TokenId token = {};
  static constexpr void each_field(auto visit) {
    visit("fan_out", &BranchOpened::fan_out);
    visit("index", &BranchOpened::index);
    visit("scope", &BranchOpened::scope);
    visit("token", &BranchOpened::token);
  }
};

// Numbers are on disk.
enum class Settled : std::uint8_t { arrived = 1, ended = 2, failed = 3, cancelled = 4 };
constexpr bool known(Settled value) {
  switch (value) {
    case Settled::arrived:
    case Settled::ended:
    case Settled::failed:
    case Settled::cancelled: return true;
  }
  return false;
}

// A branch or iteration has come to its end; what is left in it is gone.
struct BranchSettled {
  static constexpr std::uint8_t kTag = 44;
  static constexpr std::string_view kName = "branch.settled";
  ScopeId scope = {};
  Settled how = Settled::ended;
  std::optional<Shared<RunError>> error = {};
  static constexpr void each_field(auto visit) {
    visit("scope", &BranchSettled::scope);
    visit("how", &BranchSettled::how);
    visit("error", &BranchSettled::error);
  }
};

// The branches left over go on by themselves: they belong to no scope and change nothing.
struct BranchDetached {
  static constexpr std::uint8_t kTag = 45;
  static constexpr std::string_view kName = "branch.detached";
  ScopeId scope = {};
  static constexpr void each_field(auto visit) { visit("scope", &BranchDetached::scope); }
};

struct FanOutClosed {
  static constexpr std::uint8_t kTag = 46;
  static constexpr std::string_view kName = "fanout.closed";
  FanOutId fan_out = {};
  static constexpr void each_field(auto visit) { visit("fan_out", &FanOutClosed::fan_out); }
};

struct BlockOpened {
  static constexpr std::uint8_t kTag = 47;
  static constexpr std::string_view kName = "block.opened";
  RunId run = {};
  ScopeId scope = {};
  TokenId token = {};
  static constexpr void each_field(auto visit) {
    visit("run", &BlockOpened::run);
    visit("scope", &BlockOpened::scope);
    visit("token", &BlockOpened::token);
  }
};

struct BlockClosed {
  static constexpr std::uint8_t kTag = 48;
  static constexpr std::string_view kName = "block.closed";
  ScopeId scope = {};
  static constexpr void each_field(auto visit) { visit("scope", &BlockClosed::scope); }
};

}  // namespace stepwell
