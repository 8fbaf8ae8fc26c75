#include "stepwell/store/memory_executions.h"

#include <algorithm>

#include "stepwell/store/execution_cursor.h"

namespace stepwell {
namespace {

bool wanted(const ExecutionQuery& query, const ExecutionRow& row) {
  if (!query.statuses.empty() && std::ranges::find(query.statuses, row.status) == query.statuses.end()) return false;
  if (!query.playbook.empty() && row.playbook != query.playbook) return false;
  if (!query.reference.empty() && row.reference != query.reference) return false;
  if (!query.parent.empty() && row.parent != query.parent) return false;
  if (!row.id.starts_with(query.id_prefix)) return false;
  if (query.started_after && row.started_at < *query.started_after) return false;
  return !query.started_before || row.started_at < *query.started_before;
}

}  // namespace

void MemoryExecutions::put(const ExecutionRow& row) {
  const auto [kept, added] = rows_.try_emplace(row.id);
  if (added) kept->second.arrival = ++arrivals_;
  kept->second.row = row;
}

std::optional<ExecutionRow> MemoryExecutions::find(std::string_view id) const {
  const auto kept = rows_.find(id);
  if (kept == rows_.end()) return std::nullopt;
  return kept->second.row;
}

Stored<ExecutionPage> MemoryExecutions::find(const ExecutionQuery& query) const {
  const auto after = read_cursor(query.after);
  if (!after) return std::unexpected(after.error());
  std::map<ExecutionCursor, const ExecutionRow*> found;
  for (const auto& [id, kept] : rows_) {
    const ExecutionCursor place{.started_at = kept.row.started_at.micros(), .arrival = kept.arrival};
    if (place < *after && wanted(query, kept.row)) found.emplace(place, &kept.row);
  }
  ExecutionPage page;
  for (auto each = found.rbegin(); each != found.rend(); ++each) {
    page.rows.push_back(*each->second);
    if (page.rows.size() < query.limit) continue;
    if (std::next(each) != found.rend()) page.next = each->first.str();
    break;
  }
  return page;
}

std::vector<ExecutionRow> MemoryExecutions::find_due(std::uint32_t shard, Instant until, std::uint32_t limit) const {
  std::vector<ExecutionRow> due;
  for (const auto& [id, kept] : rows_) {
    const ExecutionRow& row = kept.row;
    if (row.shard == shard && !row.ended_at && row.wake_at && *row.wake_at <= until) due.push_back(row);
  }
  std::ranges::stable_sort(due, {}, [](const ExecutionRow& row) { return *row.wake_at; });
  if (due.size() > limit) due.resize(limit);
  return due;
}

std::vector<ExecutionRow> MemoryExecutions::find_awake(std::uint32_t shard, std::string_view after,
                                                       std::uint32_t limit) const {
  std::vector<ExecutionRow> awake;
  for (auto kept = rows_.upper_bound(after); kept != rows_.end() && awake.size() < limit; ++kept) {
    if (kept->second.row.shard == shard && kept->second.row.awake) awake.push_back(kept->second.row);
  }
  return awake;
}

}  // namespace stepwell
