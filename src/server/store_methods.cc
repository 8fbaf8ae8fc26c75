#include <utility>

#include "stepwell/server/garbage.h"
#include "stepwell/server/local_methods.h"
#include "stepwell/server/params.h"
#include "stepwell/server/replay_check.h"

namespace stepwell {

namespace {

Value problem_list(const std::vector<StoreProblem>& problems) {
  std::vector<Value> values;
  values.reserve(problems.size());
  for (const StoreProblem& problem : problems) {
    values.push_back(Value::map({{"place", problem.place}, {"message", problem.message}}));
  }
  return Value::list(std::move(values));
}

Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

Answered<> verify_store(const Backing& backing, const Value&) {
  const auto problems = backing.store.verify();
  if (!problems) return std::unexpected(problem_of(problems.error()));
  return Value::map({{"problems", problem_list(*problems)}});
}

Answered<> replay_store(const Backing& backing, const Value& params) {
  Params read(params);
  const bool decide_again = read.flag("verify");
  std::vector<std::string> executions = read.texts("executions");
  if (read.problem()) return std::unexpected(*read.problem());
  for (std::string& execution : executions) {
    auto found = find_execution(backing, execution);
    if (!found) return std::unexpected(std::move(found.error()));
    execution = *std::move(found);
  }
  const auto replayed =
      replay_check(backing.store, backing.runtime.playbooks(), {.decide_again = decide_again, .only = executions});
  if (!replayed) return std::unexpected(problem_of(replayed.error()));
  return Value::map({{"executions", number(replayed->executions)},
                     {"records", number(replayed->records)},
                     {"events", number(replayed->events)},
                     {"problems", problem_list(replayed->problems)}});
}

Answered<> collect_garbage(const Backing& backing, const Value&) {
  const auto swept = sweep_garbage(backing.store, backing.clock.now());
  if (!swept) return std::unexpected(problem_of(swept.error()));
  return Value::map({{"blobs", number(swept->blobs)}, {"bytes", number(swept->bytes)}});
}

Answered<> backup_store(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string directory = read.text("directory");
  if (read.problem()) return std::unexpected(*read.problem());
  if (auto done = backing.store.backup(directory); !done) return std::unexpected(problem_of(done.error()));
  return Value::map({{"directory", directory}});
}

Answered<> store_usage(const Backing& backing, const Value&) {
  const auto usage = backing.store.usage();
  if (!usage) return std::unexpected(problem_of(usage.error()));
  return Value::map({{"journal_bytes", number(usage->journal_bytes)},
                     {"database_bytes", number(usage->database_bytes)},
                     {"written_bytes", number(usage->written_bytes)},
                     {"syncs", number(usage->syncs)}});
}

}  // namespace stepwell
