#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/value.h"

// An execution as the specification tells it, in the plainest data there is: everything by number in a map, nothing
// derived, nothing shared. A copy is a snapshot, and the interpreter takes one whenever something may have to be
// undone.
namespace stepwell::reference {

struct Error {
  std::string error_class = {};
  std::string kind = {};
  bool retryable = false;
  std::string step = {};
  std::string run = {};
  int attempt = 0;

  Value to_value() const;
  std::string text() const { return error_class + " " + kind; }
};

enum class Life { fresh, gated, running, at_join, over };

struct Token {
  int id = 0;
  StepIndex step = 0;
  int scope = 0;
  Value args = {};
  Life life = Life::fresh;
  bool past_join = false;  // made by the join of its step
  bool body = false;       // runs one iteration of its step's loop
  bool has_args = false;   // the step's own args are among its args
  bool ask_again = false;  // gated, and something has changed since

  bool is_live() const { return life != Life::over && life != Life::at_join; }
};

enum class Work { none, attempt, backoff, timer, signal, task, call, loop, block, parked };

struct Run {
  int id = 0;
  StepIndex step = 0;
  int ordinal = 0;  // which run of its step
  int attempt = 1;
  int token = 0;
  Work work = Work::none;
  std::optional<Instant> deadline = {};  // of its timeout
  std::optional<Instant> at = {};        // of a backoff or timer
  Value inputs = {};                     // what its attempt reads
  Value title = {};
  Value payload = {};
  Value child = {};  // what became of a called execution
  std::string assignee = {};
  Error error = {};  // parked
  bool failed_join = false;
};

// A run that has ended, for those who read its name.
struct Ended {
  int order = 0;
  StepIndex step = 0;
  Value output = {};
  std::optional<Error> error = {};
  int attempts = 0;
  Value child = {};
};

struct Write {
  Path path;
  Value value;
};

enum class ScopeKind { root, branch, iteration, block };

struct Scope {
  int id = 0;
  ScopeKind kind = ScopeKind::root;
  int parent = 0;
  int fan_out = 0;  // branch, iteration
  int run = 0;      // block
  int index = 0;
  Value item = {};
  std::string item_name = {};
  bool isolated = false;
  bool detached = false;
  bool settled = false;  // nothing happens in it any more
  bool closed = false;   // what ran in it is seen in its parent
  std::vector<Write> overlay = {};
  Value iter = Value::map({});
  std::vector<Ended> ended = {};
  std::optional<std::pair<int, Error>> last_error = {};
};

// An arc that was taken: one branch, or one for each item.
struct Leg {
  StepIndex target = 0;
  const Arc* arc = nullptr;
  bool each = false;
  std::string item_name = {};
  std::vector<Value> items = {};
  std::vector<Value> args = {};
  std::optional<std::int64_t> max_in_flight = {};
};

// A fan-out or a loop.
struct FanOut {
  int id = 0;
  StepIndex step = 0;
  int scope = 0;
  int run = 0;  // of the loop; none: a fan-out
  bool joined = false;
  bool open = true;
  std::vector<Leg> legs = {};
  std::map<int, int> branches = {};  // index -> scope, those that were opened
  std::optional<Instant> deadline = {};
  std::vector<int> arrived = {};  // in order of arrival
  std::vector<int> ended = {};
  std::vector<int> failed = {};
  std::map<int, Value> results = {};  // of a loop
  std::map<int, Error> errors = {};

  int total() const;
  int settled() const { return static_cast<int>(arrived.size() + ended.size() + failed.size()); }
  // The leg that a branch belongs to, and its place there.
  std::pair<const Leg*, int> place(int index) const;
};

struct BufferedSignal {
  std::string id = {};
  std::string name = {};
  Value payload = {};
  Instant at = {};
};

struct World {
  std::map<int, Token> tokens = {};
  std::map<int, Run> runs = {};  // open ones
  std::map<int, Scope> scopes = {};
  std::map<int, FanOut> fan_outs = {};
  std::map<StepIndex, int> counts = {};  // runs started
  int last_token = 0;
  int last_run = 0;
  int last_scope = 0;
  int last_fan_out = 0;
  int order = 0;  // of ends and failures

  Value workload = {};
  Value ctx = Value::map({});
  Value reference = {};
  std::vector<BufferedSignal> signals = {};
  std::set<std::string> accepted = {};  // ids of commands
  std::optional<Instant> deadline = {};
  std::optional<Error> failure = {};  // the first that reached the execution
  std::optional<Error> final_failure = {};
  std::vector<Error> failures = {};  // all of those
  bool directly = false;             // a stall, an engine error or the execution's timeout: whatever on_failure says
  bool suspended = false;
  bool some_path_done = false;  // a token outside joined fan-outs ended done, with no follower
  bool finishing = false;       // the final step runs
  std::string status = {};      // of the end, from finishing on
  bool ended = false;

  std::vector<std::string> lines = {};  // what has happened in this command
};

}  // namespace stepwell::reference
