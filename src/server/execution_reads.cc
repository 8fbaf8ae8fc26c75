#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "stepwell/runtime/load_instance.h"
#include "stepwell/server/execution_value.h"
#include "stepwell/server/local_methods.h"
#include "stepwell/server/params.h"
#include "stepwell/server/playback.h"
#include "stepwell/value/diff.h"

namespace stepwell {

namespace {

constexpr std::uint32_t kMostListed = 1'000;
constexpr int kDeepestCall = 64;

Answered<std::unique_ptr<Instance>> load(const Backing& backing, const std::string& execution) {
  auto loaded = load_instance(backing.store, backing.runtime.playbooks(), execution);
  if (!loaded) return std::unexpected(problem_of(loaded.error()));
  if (*loaded == nullptr) {
    return std::unexpected(Problem{"not_found", fmt::format("there is no execution '{}'", execution)});
  }
  return *std::move(loaded);
}

Answered<bool> can_move(const Backing& backing, const State& state, int depth) {
  if (moves_by_itself(state)) return true;
  for (const std::string& child : called_executions(state)) {
    const auto loaded = load_instance(backing.store, backing.runtime.playbooks(), child);
    if (!loaded) return std::unexpected(problem_of(loaded.error()));
    // One that has not begun, or has ended, is about to be heard of.
    if (*loaded == nullptr || (*loaded)->state.phase >= Phase::ended || depth == kDeepestCall) return true;
    const auto moves = can_move(backing, (*loaded)->state, depth + 1);
    if (!moves || *moves) return moves;
  }
  return false;
}

// The execution as it was at a version, or as it is: what its records up to there lead to.
Answered<Value> state_at(const Backing& backing, const std::string& execution, std::optional<std::uint64_t> version) {
  Playback playback(backing.runtime.playbooks(), execution);
  const auto read = playback.read(backing.store, {}, version.value_or(UINT64_MAX));
  if (!read) return std::unexpected(problem_of(read.error()));
  if (version && (playback.version() < *version || *version == 0)) {
    return std::unexpected(Problem{"not_found", fmt::format("execution '{}' has versions 1 to {}, so there is no {}",
                                                            execution, playback.version(), *version)});
  }
  return state_value(playback.instance());
}

Value change_value(const Change& change) {
  std::vector<Member> members = {{"path", change.path.str()}};
  if (change.before) members.push_back({"before", *change.before});
  if (change.after) members.push_back({"after", *change.after});
  return Value::map(std::move(members));
}

}  // namespace

Answered<bool> can_move(const Backing& backing, const State& state) { return can_move(backing, state, 0); }

Answered<> list_executions(const Backing& backing, const Value& params) {
  Params read(params);
  ExecutionQuery query{.statuses = read.texts("status"),
                       .playbook = read.text_or("playbook", ""),
                       .reference = read.text_or("reference", ""),
                       .parent = read.text_or("parent", ""),
                       .id_prefix = read.text_or("prefix", ""),
                       .after = read.text_or("after", "")};
  const std::uint64_t limit = read.maybe_number("limit").value_or(query.limit);
  query.limit = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(limit, 1, kMostListed));
  if (read.problem()) return std::unexpected(*read.problem());
  if (auto current = backing.runtime.catch_up(); !current) return std::unexpected(problem_of(current.error()));
  const auto page = backing.store.find_executions(query);
  if (!page) return std::unexpected(problem_of(page.error()));
  std::vector<Value> rows;
  rows.reserve(page->rows.size());
  for (const ExecutionRow& row : page->rows) rows.push_back(row_value(row));
  return Value::map({{"executions", Value::list(std::move(rows))}, {"next", page->next}});
}

Answered<> get_execution(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string text = read.text("execution");
  if (read.problem()) return std::unexpected(*read.problem());
  const auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(execution.error());
  const auto instance = load(backing, *execution);
  if (!instance) return std::unexpected(instance.error());
  const auto moves = can_move(backing, (*instance)->state);
  if (!moves) return std::unexpected(moves.error());
  const State& state = (*instance)->state;
  Value view = row_value(row_of(**instance, 0))
                   .with("workload", state.workload)
                   .with("ctx", state.ctx)
                   .with("tokens", tokens_value(**instance))
                   .with("moves", *moves);
  if (state.phase >= Phase::ended) view = view.with("output", state.output.decode());
  if (state.rarely != nullptr && state.rarely->termination) {
    const Termination& end = *state.rarely->termination;
    view = view.with("termination_reason", end.reason)
               .with("terminated_by", (*instance)->playbook->definition.steps[end.by].name)
               .with("is_explicit", true);
  }
  return view;
}

Answered<> list_events(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string text = read.text("execution");
  const std::uint64_t after = read.maybe_number("after").value_or(0);
  if (read.problem()) return std::unexpected(*read.problem());
  const auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(execution.error());
  std::vector<Value> events;
  Playback playback(backing.runtime.playbooks(), *execution);
  const auto done = playback.read(backing.store, [&](const Value& event) {
    if (static_cast<std::uint64_t>(event.find("seq")->as_int()) > after) events.push_back(event);
  });
  if (!done) return std::unexpected(problem_of(done.error()));
  return Value::list(std::move(events));
}

Answered<> execution_state(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string text = read.text("execution");
  const auto at = read.maybe_number("at");
  if (read.problem()) return std::unexpected(*read.problem());
  const auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(execution.error());
  return state_at(backing, *execution, at);
}

Answered<> execution_diff(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string text = read.text("execution");
  const std::uint64_t from = read.number("from");
  const auto to = read.maybe_number("to");
  if (read.problem()) return std::unexpected(*read.problem());
  const auto execution = find_execution(backing, text);
  if (!execution) return std::unexpected(execution.error());
  const auto before = state_at(backing, *execution, from);
  if (!before) return before;
  const auto after = state_at(backing, *execution, to);
  if (!after) return after;
  const std::vector<Change> found = diff(*before, *after);
  std::vector<Value> changes;
  changes.reserve(found.size());
  for (const Change& change : found) changes.push_back(change_value(change));
  return Value::map({{"changes", Value::list(std::move(changes))}, {"text", diff_text(found)}});
}

}  // namespace stepwell
