#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/base/duration.h"
#include "stepwell/base/sha256.h"
#include "stepwell/model/expression.h"
#include "stepwell/model/mapping.h"
#include "stepwell/value/path.h"
#include "stepwell/value/schema.h"
#include "stepwell/value/value.h"

// The canonical definition as the kernel runs it: everything by index, every expression a program. It is read from the
// canonical value (docs/formats/definition.md), which is what is stored, hashed and exported.
namespace stepwell {

using StepIndex = std::uint32_t;
using ListIndex = std::uint32_t;

enum class WhenFalse : std::uint8_t { hold, discard };
enum class OnStall : std::uint8_t { wait, complete, fail };
enum class OnFailure : std::uint8_t { fail_any, fail_fast, partial, suspend };
enum class OnFinalFailure : std::uint8_t { fail, partial };

struct Policy {
  StepIndex entry_step = 0;
  std::optional<StepIndex> final_step;
  OnFinalFailure on_final_failure = OnFinalFailure::fail;
  bool no_next_is_error = false;
  WhenFalse when_false = WhenFalse::hold;
  OnStall on_stall = OnStall::wait;
  OnFailure on_failure = OnFailure::fail_any;
  bool all_arcs_after_failure = false;  // failed_arcs: all
  std::optional<Duration> timeout;
  std::int64_t max_step_runs = 0;
  std::int64_t inline_max = 0;
  Duration retention;
  bool callable_only = false;
  std::int64_t snapshot_every_events = 0;
};

enum class Backoff : std::uint8_t { none, fixed, linear, exponential };

struct Retry {
  std::int64_t max_attempts = 1;
  Backoff backoff = Backoff::fixed;
  Duration delay;
  std::optional<Duration> max_delay;
  double jitter = 0;
  std::vector<std::string> on;  // error classes and kinds; empty: whatever is retryable
};

struct Loop {
  Mapping in;
  std::string iterator;
  std::int64_t max_in_flight = 1;
  bool go_on_after_failure = false;
};

enum class JoinMode : std::uint8_t { all, any, m_of_n };
enum class MergeStrategy : std::uint8_t { append, merge_object, keyed_by_branch, last_wins };

struct Merge {
  MergeStrategy strategy = MergeStrategy::append;
  Path source;  // in the branch's output; empty: all of it
  Path target;  // starts with ctx
  std::optional<Mapping> key;
};

struct Join {
  StepIndex from = 0;
  JoinMode mode = JoinMode::all;
  std::int64_t m = 0;
  bool allow_ended = false;
  bool allow_failed = false;
  bool abandon_early = false;  // branches left over are detached, not cancelled
  std::optional<Duration> timeout;
  bool proceed_on_timeout = false;
  std::optional<Merge> merge;
};

// After which outcome an arc is asked.
enum class ArcOn : std::uint8_t { done, failed, timeout, any };

struct Foreach {
  Mapping in;
  std::string as;  // empty: no name of its own
  std::optional<std::int64_t> max_in_flight;
};

struct Arc {
  StepIndex target = 0;
  ArcOn on = ArcOn::done;
  std::optional<Expression> when;
  std::optional<Mapping> args;
  std::optional<Foreach> foreach;
};

enum class RuleAction : std::uint8_t { go_on, retry, jump, end, fail };

struct Rule {
  std::optional<Expression> when;
  RuleAction action = RuleAction::go_on;
  Retry retry;         // for retry
  std::size_t to = 0;  // for jump: the task's place in the pipeline
  std::optional<Mapping> set_ctx;
  std::optional<Mapping> set_vars;
  std::optional<Mapping> set_iter;
};

struct Task {
  std::string label;
  std::string kind;  // never workbook: that is expanded
  std::vector<MappingMember> fields;
  std::optional<Mapping> args;  // laid over the step's, if it came from the workbook
  std::vector<Rule> rules;

  // Derived.
  bool pure = false;  // noop or emit: asks nothing of the outside
};

enum class AssignedRoot : std::uint8_t { ctx, iter, reference };

struct Assignment {
  AssignedRoot root = AssignedRoot::ctx;
  Path path;  // below the root; the reference has none
  Mapping value;
};

enum class StepType : std::uint8_t { task, human, wait, call, continue_with, block, terminate };

struct Human {
  std::optional<Mapping> title;
  std::optional<Mapping> assignee;
  std::optional<Mapping> payload;
  std::vector<std::string> roles;
  std::optional<Schema> form;
  std::vector<Value> options;  // {value, label?}
  bool go_on_after_timeout = false;
};

struct Wait {
  std::optional<Duration> duration;
  std::optional<Expression> until;
  std::string signal;
  std::optional<Expression> match;
  std::optional<Schema> schema;
  bool go_on_after_timeout = false;
};

struct Callee {
  std::string playbook;
  std::optional<std::int64_t> version;
  std::optional<Mapping> input;
  bool catch_failure = false;
  bool fail_on_terminate = false;
  bool inherit_artifacts = false;
};

struct Terminate {
  bool success = false;
  Mapping reason;
  std::optional<Mapping> output;
};

// A name that the expressions of a pipeline read.
struct AttemptRead {
  Name name;
  std::string text;
  bool last_error = false;
};

struct Step {
  std::string name;
  StepType type = StepType::task;
  ListIndex list = 0;
  std::optional<Expression> when;
  std::string when_sql;  // a guard has one of the two
  std::optional<Mapping> args;
  std::optional<Loop> loop;
  std::optional<Join> join;
  std::optional<Retry> retry;
  std::optional<Duration> timeout;
  std::optional<Schema> output;
  std::vector<Assignment> set;
  bool inclusive = false;
  std::string pool;
  std::vector<Arc> arcs;

  std::vector<Task> pipeline;  // task
  std::optional<Human> human;
  std::optional<Wait> wait;
  std::optional<Callee> callee;  // call, continue_with
  std::optional<ListIndex> block;
  std::optional<Terminate> terminate;

  // Derived.
  std::optional<StepIndex> joined_by;      // its fan-outs are isolated until that join
  bool pure = false;                       // decided in the kernel, nothing is asked of the outside
  bool blank = false;                      // a task, and there is nothing in its pipeline that could do or say anything
  std::vector<AttemptRead> attempt_reads;  // what its pipeline reads of the execution, none twice
  bool named = false;                      // some expression reads its result by its name

  bool guarded() const { return when.has_value() || !when_sql.empty(); }
};

struct StepList {
  std::vector<StepIndex> steps;    // the first is where a block begins
  std::optional<StepIndex> owner;  // the block that holds it
};

struct Definition {
  std::string name;
  Value canonical;
  Sha256Digest hash;

  Policy policy;
  Value workload;
  std::optional<Schema> workload_schema;
  std::optional<Schema> ctx_schema;
  std::optional<Schema> output_schema;
  std::optional<Mapping> reference;
  std::optional<Mapping> output;
  std::vector<Step> steps;
  std::vector<StepList> lists;  // the first is the playbook's own
  std::vector<std::string> kinds;
  std::vector<std::string> functions;

  // Derived.
  std::vector<std::string> item_names;  // every `as` of a foreach and iterator of a loop, none twice
};

// Reads a canonical value. What the loader makes is always accepted; anything else that is malformed, has an index out
// of range or a part that does not compile is refused with the place (a JSON pointer) and the reason.
std::expected<Definition, std::string> read_definition(const Value& canonical);

}  // namespace stepwell
