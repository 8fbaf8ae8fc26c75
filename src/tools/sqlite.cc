#include "stepwell/tools/sqlite.h"

#include <memory>
#include <thread>

#include <fmt/format.h>
#include <sqlite3.h>

#include "stepwell/tools/sql_fields.h"
#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"

namespace stepwell {
namespace {

using std::chrono::steady_clock;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

// How many instructions of a query pass between two looks at the clock.
constexpr int kInstructionsPerLook = 10'000;
// How long a locked database is waited for if the attempt has no deadline of its own.
constexpr auto kLockedFor = std::chrono::seconds(5);
constexpr auto kLockedStep = std::chrono::milliseconds(5);

bool is_over(const ToolCall& call) {
  return call.stop.stop_requested() || (call.deadline && steady_clock::now() >= *call.deadline);
}

int look(void* call) { return is_over(*static_cast<const ToolCall*>(call)) ? 1 : 0; }

int wait_for_lock(void* call, int tries) {
  if (is_over(*static_cast<const ToolCall*>(call)) || kLockedStep * tries > kLockedFor) return 0;
  std::this_thread::sleep_for(kLockedStep);
  return 1;
}

TaskOutcome sqlite_failure(sqlite3* database, int code, const ToolCall& call) {
  if (call.stop.stop_requested()) return stopped();
  if ((code & 0xFF) == SQLITE_INTERRUPT) return timed_out("the query did not end in time");
  ToolError error{.message = database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database), .code = code};
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      error.kind = "connection";
      error.retryable = (code & 0xFF) != SQLITE_CANTOPEN;
      break;
    case SQLITE_AUTH:
    case SQLITE_PERM:
      error.error_class = error_class::kAuthorization;
      error.kind = "sql_permission";
      break;
    case SQLITE_CONSTRAINT: error.kind = "sql_constraint"; break;
    default: error.kind = "sql_error"; break;
  }
  return failed(error);
}

int bind(sqlite3_stmt* statement, int index, const Value& value) {
  switch (value.kind()) {
    case Kind::null: return sqlite3_bind_null(statement, index);
    case Kind::boolean: return sqlite3_bind_int(statement, index, value.as_bool() ? 1 : 0);
    case Kind::integer: return sqlite3_bind_int64(statement, index, value.as_int());
    case Kind::real: return sqlite3_bind_double(statement, index, value.as_real());
    case Kind::text:
    case Kind::list:
    case Kind::map: break;
  }
  const std::string text = parameter_text(value);
  return sqlite3_bind_text64(statement, index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

Value column(sqlite3_stmt* statement, int index) {
  auto bytes = [&] {
    const void* data = sqlite3_column_blob(statement, index);
    return std::string_view(static_cast<const char*>(data),
                            static_cast<std::size_t>(sqlite3_column_bytes(statement, index)));
  };
  switch (sqlite3_column_type(statement, index)) {
    case SQLITE_INTEGER: return Value(static_cast<std::int64_t>(sqlite3_column_int64(statement, index)));
    case SQLITE_FLOAT: {
      const double real = sqlite3_column_double(statement, index);
      // An infinity is the only one that SQLite has beyond ours.
      return std::isfinite(real) ? Value(real) : Value(real > 0 ? "Infinity" : "-Infinity");
    }
    case SQLITE_TEXT:
    case SQLITE_BLOB: return value_of_bytes(bytes());
    default: return {};
  }
}

std::expected<Statement, TaskOutcome> prepare(sqlite3* database, const SqlCall& asked, const ToolCall& call) {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(database, asked.query.data(), static_cast<int>(asked.query.size()), &made, &rest);
  Statement statement(made);
  if (code != SQLITE_OK) return std::unexpected(sqlite_failure(database, code, call));
  const std::string_view after(rest, asked.query.data() + asked.query.size());
  if (made == nullptr || after.find_first_not_of(" \t\r\n;") != after.npos) {
    return std::unexpected(wrong_field("'query' of sqlite must be one statement"));
  }
  const int wanted = sqlite3_bind_parameter_count(made);
  const std::size_t given = asked.params.as_list().size();
  if (given != static_cast<std::size_t>(wanted)) {
    return std::unexpected(
        wrong_field(fmt::format("the query takes {} parameters, and 'params' has {}", wanted, given)));
  }
  for (int i = 0; i < wanted; ++i) {
    const int bound = bind(made, i + 1, asked.params.as_list()[static_cast<std::size_t>(i)]);
    if (bound != SQLITE_OK) return std::unexpected(sqlite_failure(database, bound, call));
  }
  return statement;
}

TaskOutcome run_statement(sqlite3* database, sqlite3_stmt* statement, const ToolCall& call) {
  SqlRows rows(call.result_bytes);
  const int columns = sqlite3_column_count(statement);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    std::vector<Member> row;
    row.reserve(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) row.push_back({Value(sqlite3_column_name(statement, i)), column(statement, i)});
    if (!rows.add(std::move(row))) return too_large("what the query gives", call.result_bytes);
  }
  if (code != SQLITE_DONE) return sqlite_failure(database, sqlite3_extended_errcode(database), call);
  const bool reads = sqlite3_stmt_readonly(statement) != 0 || columns > 0;
  const auto count =
      reads ? static_cast<std::int64_t>(rows.count()) : static_cast<std::int64_t>(sqlite3_changes64(database));
  return {.result = sql_result(rows, count)};
}

}  // namespace

TaskOutcome SqliteTool::run(const ToolCall& call) {
  const auto asked = sql_call(call);
  if (!asked) return asked.error();
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(asked->connection.c_str(), &opened, flags, nullptr);
  const Database database(opened);
  if (code != SQLITE_OK) return sqlite_failure(opened, code, call);
  sqlite3_extended_result_codes(opened, 1);
  // SQLite hands the pointer back as it was given; nothing is written through it.
  auto* mine = const_cast<ToolCall*>(&call);
  sqlite3_progress_handler(opened, kInstructionsPerLook, look, mine);
  sqlite3_busy_handler(opened, wait_for_lock, mine);
  const auto statement = prepare(opened, *asked, call);
  if (!statement) return statement.error();
  return run_statement(opened, statement->get(), call);
}

}  // namespace stepwell
