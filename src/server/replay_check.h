#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stepwell/runtime/playbooks.h"
#include "stepwell/store/store.h"

namespace stepwell {

struct ReplayOptions {
  bool decide_again = false;           // and demand the same bytes of events
  std::vector<std::string> only = {};  // these executions; empty: all
};

struct Replayed {
  std::uint64_t executions = 0;
  std::uint64_t records = 0;
  std::uint64_t events = 0;
  std::vector<StoreProblem> problems = {};  // at most one for each execution: what follows rests on what is wrong
};

// Brings every execution from nothing to where it is, by the events of its records. That the chain holds, that each
// event fits and that the snapshot is what the records lead to is checked always; `decide_again` is the proof of
// determinism.
Stored<Replayed> replay_check(Store& store, Playbooks& playbooks, const ReplayOptions& options);

}  // namespace stepwell
