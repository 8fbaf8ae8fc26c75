#include "stepwell/store/embedded/execution_table.h"

#include <functional>
#include <set>
#include <string>

#include "stepwell/store/execution_cursor.h"

namespace stepwell::execution_table {
namespace {

#define STEPWELL_EXECUTION_COLUMNS                                                                            \
  "id, shard, playbook, playbook_version, definition_hash, reference, parent, status, wait, awake, wake_at, " \
  "error, labels, started_at, ended_at, version"

constexpr std::string_view kSelect = "select " STEPWELL_EXECUTION_COLUMNS ", arrival from executions where ";
constexpr int kArrivalColumn = 16;

ExecutionRow read_row(const Query& query) {
  return {.id = query.text(0),
          .shard = static_cast<std::uint32_t>(query.integer(1)),
          .playbook = query.text(2),
          .playbook_version = query.integer(3),
          .definition_hash = query.text(4),
          .reference = query.text(5),
          .parent = query.text(6),
          .status = query.text(7),
          .wait = query.text(8),
          .awake = query.integer(9) != 0,
          .wake_at = query.optional_instant(10),
          .error = query.text(11),
          .labels = query.text(12),
          .started_at = query.instant(13),
          .ended_at = query.optional_instant(14),
          .version = static_cast<std::uint64_t>(query.integer(15))};
}

Stored<std::vector<ExecutionRow>> read_rows(Query& query) {
  std::vector<ExecutionRow> rows;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return rows;
    rows.push_back(read_row(query));
  }
}

// The conditions of a query, and what binds their parameters in the same order.
struct Conditions {
  std::string sql = std::string(kSelect) + "(started_at, arrival) < (?, ?)";
  std::vector<std::function<void(Query&)>> binds = {};

  template <typename T>
  void add(std::string_view condition, const T& value) {
    sql += " and ";
    sql += condition;
    binds.push_back([value](Query& query) { query.bind(value); });
  }
};

Conditions conditions_of(const ExecutionQuery& query, const std::set<std::string_view>& statuses,
                         const std::string& prefix_end) {
  Conditions conditions;
  using View = std::string_view;
  if (!statuses.empty()) {
    std::string marks;
    for (std::size_t i = 0; i < statuses.size(); ++i) marks += i == 0 ? "?" : ", ?";
    conditions.add("status in (" + marks + ")", *statuses.begin());
    for (auto each = std::next(statuses.begin()); each != statuses.end(); ++each) {
      conditions.binds.push_back([status = *each](Query& bound) { bound.bind(status); });
    }
  }
  if (!query.playbook.empty()) conditions.add("playbook = ?", View(query.playbook));
  if (!query.reference.empty()) conditions.add("reference = ? and reference <> ''", View(query.reference));
  if (!query.parent.empty()) conditions.add("parent = ? and parent <> ''", View(query.parent));
  if (!query.id_prefix.empty()) {
    conditions.add("id >= ?", View(query.id_prefix));
    conditions.add("id < ?", View(prefix_end));
  }
  if (query.started_after) conditions.add("started_at >= ?", *query.started_after);
  if (query.started_before) conditions.add("started_at < ?", *query.started_before);
  conditions.sql += " order by started_at desc, arrival desc limit ?";
  return conditions;
}

}  // namespace

Stored<> put(Connection& connection, std::span<const ExecutionRow> rows) {
  Query query(connection, "insert into executions (" STEPWELL_EXECUTION_COLUMNS
                          ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                          "on conflict (id) do update set shard = excluded.shard, playbook = excluded.playbook, "
                          "playbook_version = excluded.playbook_version, definition_hash = excluded.definition_hash, "
                          "reference = excluded.reference, parent = excluded.parent, status = excluded.status, "
                          "wait = excluded.wait, awake = excluded.awake, wake_at = excluded.wake_at, "
                          "error = excluded.error, labels = excluded.labels, started_at = excluded.started_at, "
                          "ended_at = excluded.ended_at, version = excluded.version");
  for (const ExecutionRow& row : rows) {
    query.bind(row.id, row.shard, row.playbook, row.playbook_version, row.definition_hash, row.reference, row.parent,
               row.status, row.wait, row.awake, row.wake_at, row.error, row.labels, row.started_at, row.ended_at,
               row.version);
    if (auto done = query.run(); !done) return done;
  }
  return {};
}

Stored<> erase(Connection& connection, std::string_view id) {
  return Query(connection, "delete from executions where id = ?").bind(id).run();
}

Stored<std::optional<ExecutionRow>> find(Connection& connection, std::string_view id) {
  Query query(connection, std::string(kSelect) + "id = ?");
  const auto row = query.bind(id).next();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  return read_row(query);
}

Stored<ExecutionPage> find(Connection& connection, const ExecutionQuery& wanted) {
  const auto after = read_cursor(wanted.after);
  if (!after) return std::unexpected(after.error());
  const std::set<std::string_view> statuses(wanted.statuses.begin(), wanted.statuses.end());
  const std::string prefix_end = wanted.id_prefix + "\U0010FFFF";
  const Conditions conditions = conditions_of(wanted, statuses, prefix_end);
  Query query(connection, conditions.sql);
  query.bind(after->started_at, after->arrival);
  for (const auto& bind : conditions.binds) bind(query);
  query.bind(std::uint64_t{wanted.limit} + 1);
  ExecutionPage page;
  ExecutionCursor last;
  while (true) {
    const auto row = query.next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return page;
    if (page.rows.size() == wanted.limit) break;
    page.rows.push_back(read_row(query));
    last = {.started_at = page.rows.back().started_at.micros(),
            .arrival = static_cast<std::uint64_t>(query.integer(kArrivalColumn))};
  }
  page.next = last.str();
  return page;
}

Stored<std::vector<ExecutionRow>> find_due(Connection& connection, std::uint32_t shard, Instant until,
                                           std::uint32_t limit) {
  Query query(connection, std::string(kSelect) +
                              "shard = ? and wake_at is not null and ended_at is null and wake_at <= ? "
                              "order by wake_at, id limit ?");
  return read_rows(query.bind(shard, until, limit));
}

Stored<std::vector<ExecutionRow>> find_awake(Connection& connection, std::uint32_t shard, std::string_view after,
                                             std::uint32_t limit) {
  Query query(connection, std::string(kSelect) + "shard = ? and awake and id > ? order by id limit ?");
  return read_rows(query.bind(shard, after, limit));
}

}  // namespace stepwell::execution_table
