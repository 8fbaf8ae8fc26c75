#include "stepwell/tools/postgres.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "stepwell/base/limits.h"
#include "stepwell/tools/sql_fields.h"
#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"
#include "stepwell/tools/used_secrets.h"
#include "stepwell/value/json_read.h"

namespace stepwell {
namespace {

using std::chrono::steady_clock;

struct FinishConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

// Object ids of the types that have a kind of value of their own; any other is text.
constexpr Oid kBool = 16;
constexpr Oid kInt8 = 20;
constexpr Oid kInt2 = 21;
constexpr Oid kInt4 = 23;
constexpr Oid kOid = 26;
constexpr Oid kJson = 114;
constexpr Oid kFloat4 = 700;
constexpr Oid kFloat8 = 701;
constexpr Oid kTimestampTz = 1184;
constexpr Oid kJsonb = 3802;

template <typename T>
std::optional<T> number_in(std::string_view text) {
  T number = {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// `2026-01-02 03:04:05.5+00` as RFC 3339 has it. The session is in UTC, so the offset is always the same.
Value instant_text(std::string_view text) {
  std::string made(text);
  if (made.size() < 19 || made[10] != ' ' || !made.ends_with("+00")) return Value(text);
  made[10] = 'T';
  made.resize(made.size() - 3);
  return Value(made + "Z");
}

Value column_value(std::string_view text, Oid type) {
  switch (type) {
    case kBool: return Value(text == "t");
    case kInt2:
    case kInt4:
    case kInt8:
    case kOid:
      if (const auto number = number_in<std::int64_t>(text)) return Value(*number);
      break;
    case kFloat4:
    case kFloat8:
      if (const auto number = number_in<double>(text); number && std::isfinite(*number)) return Value(*number);
      break;
    case kJson:
    case kJsonb:
      if (auto json = parse_json(text, {.depth = limits::kDataDepth - 4, .bytes = limits::kDocumentBytes}))
        return *json;
      break;
    case kTimestampTz: return instant_text(text);
    default: break;
  }
  return value_of_bytes(text);
}

// One conversation with one server, never longer than the call allows.
class Conversation {
 public:
  explicit Conversation(const ToolCall& call)
      : call_(call),
        stopped_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        wake_(call.stop, [this] { eventfd_write(stopped_, 1); }),
        rows_(call.result_bytes) {}
  ~Conversation() { close(stopped_); }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  TaskOutcome ask(const SqlCall& asked);

 private:
  // Each answers with the outcome of the call if it cannot go on.
  std::optional<TaskOutcome> connect(const std::string& connection);
  std::optional<TaskOutcome> send(const SqlCall& asked);
  std::optional<TaskOutcome> wait_for(short events);
  std::optional<TaskOutcome> wait_for_result();
  std::optional<TaskOutcome> take(const PGresult* result);

  TaskOutcome refused(const PGresult* result) const;
  TaskOutcome no_connection() const;
  // Ends the query on the server, too.
  void cancel_query() const;

  const ToolCall& call_;
  int stopped_;
  std::stop_callback<std::function<void()>> wake_;
  std::unique_ptr<PGconn, FinishConnection> connection_;
  SqlRows rows_;
  std::int64_t rowcount_ = 0;
};

TaskOutcome Conversation::ask(const SqlCall& asked) {
  if (auto failure = connect(asked.connection)) return *failure;
  if (auto failure = send(asked)) return *failure;
  while (true) {
    if (auto failure = wait_for_result()) return *failure;
    const Result result(PQgetResult(connection_.get()));
    if (!result) return {.result = sql_result(rows_, rowcount_)};
    if (auto failure = take(result.get())) return *failure;
  }
}

std::optional<TaskOutcome> Conversation::connect(const std::string& connection) {
  const std::unique_ptr<PQconninfoOption, FreeOptions> parsed(PQconninfoParse(connection.c_str(), nullptr));
  if (!parsed) {
    return failed({.error_class = error_class::kAuthorization,
                   .kind = "secret_refused",
                   .message = "the secret that 'connection' names is no connection string of PostgreSQL"});
  }
  // Times are told in UTC and as ISO 8601 has them, whatever the server is used to.
  std::string options = "-c TimeZone=UTC -c DateStyle=ISO";
  for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    if (std::string_view(option->keyword) == "password") call_.secrets->remember(option->val);
    if (std::string_view(option->keyword) == "options") options = fmt::format("{} {}", option->val, options);
  }
  const std::array<const char*, 4> keywords = {"dbname", "options", "fallback_application_name", nullptr};
  const std::array<const char*, 4> values = {connection.c_str(), options.c_str(), "stepwell", nullptr};
  connection_.reset(PQconnectStartParams(keywords.data(), values.data(), 1));
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;
  while (status != PGRES_POLLING_OK) {
    if (PQstatus(connection_.get()) == CONNECTION_BAD || status == PGRES_POLLING_FAILED) return no_connection();
    if (auto failure = wait_for(status == PGRES_POLLING_READING ? POLLIN : POLLOUT)) return failure;
    status = PQconnectPoll(connection_.get());
  }
  return std::nullopt;
}

std::optional<TaskOutcome> Conversation::send(const SqlCall& asked) {
  std::vector<std::string> texts;
  std::vector<const char*> values;
  texts.reserve(asked.params.as_list().size());
  values.reserve(asked.params.as_list().size());
  for (const Value& param : asked.params.as_list()) {
    texts.push_back(parameter_text(param));
    if (texts.back().contains('\0')) return wrong_field("a text of PostgreSQL cannot hold the character U+0000");
    values.push_back(param.is_null() ? nullptr : texts.back().c_str());
  }
  const int sent = PQsendQueryParams(connection_.get(), asked.query.c_str(), static_cast<int>(values.size()), nullptr,
                                     values.data(), nullptr, nullptr, 0);
  if (sent == 0) return no_connection();
  // Row by row, so that a result that is too large is noticed before all of it is here.
  PQsetSingleRowMode(connection_.get());
  return std::nullopt;
}

std::optional<TaskOutcome> Conversation::wait_for_result() {
  while (PQisBusy(connection_.get()) != 0) {
    if (auto failure = wait_for(POLLIN)) return failure;
    if (PQconsumeInput(connection_.get()) == 0) return no_connection();
  }
  return std::nullopt;
}

// Until the socket is ready, the time is over or nobody waits any more.
std::optional<TaskOutcome> Conversation::wait_for(short events) {
  std::array<pollfd, 2> polled = {pollfd{PQsocket(connection_.get()), events, 0}, pollfd{stopped_, POLLIN, 0}};
  while (true) {
    int left = -1;
    if (call_.deadline) {
      const auto ms = std::chrono::ceil<std::chrono::milliseconds>(*call_.deadline - steady_clock::now()).count();
      if (ms <= 0) {
        cancel_query();
        return timed_out("the query did not end in time");
      }
      left = static_cast<int>(std::min<std::int64_t>(ms, 3'600'000));
    }
    poll(polled.data(), polled.size(), left);
    if (polled[1].revents != 0) {
      cancel_query();
      return stopped();
    }
    if (polled[0].revents != 0) return std::nullopt;
  }
}

void Conversation::cancel_query() const {
  PGcancel* cancel = PQgetCancel(connection_.get());
  if (cancel == nullptr) return;
  std::array<char, 256> reason = {};
  PQcancel(cancel, reason.data(), static_cast<int>(reason.size()));
  PQfreeCancel(cancel);
}

std::optional<TaskOutcome> Conversation::take(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK) {
    rowcount_ = number_in<std::int64_t>(PQcmdTuples(const_cast<PGresult*>(result))).value_or(0);
    return std::nullopt;
  }
  if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK) return refused(result);
  const int columns = PQnfields(result);
  for (int row = 0; row < PQntuples(result); ++row) {
    std::vector<Member> members;
    members.reserve(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) {
      const std::string_view text(PQgetvalue(result, row, i), static_cast<std::size_t>(PQgetlength(result, row, i)));
      const bool null = PQgetisnull(result, row, i) != 0;
      members.push_back(
          {Value(text_of_bytes(PQfname(result, i))), null ? Value() : column_value(text, PQftype(result, i))});
    }
    if (!rows_.add(std::move(members))) {
      cancel_query();
      return too_large("what the query gives", call_.result_bytes);
    }
  }
  rowcount_ = static_cast<std::int64_t>(rows_.count());
  return std::nullopt;
}

// By the SQLSTATE of the server: what may go well the next time is retryable.
TaskOutcome Conversation::refused(const PGresult* result) const {
  const char* given = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  if (given == nullptr) return no_connection();
  const std::string_view state = given;
  const bool authorization = state.starts_with("28");
  const bool retryable = state == "40001" || state == "40P01" || state == "55P03" || state.starts_with("08") ||
                         state.starts_with("53") || state.starts_with("57P");
  const char* message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return failed({.error_class = authorization ? error_class::kAuthorization : error_class::kTransport,
                 .kind = fmt::format("sql_{}", state),
                 .message = message == nullptr ? "the query failed" : text_of_bytes(message),
                 .retryable = retryable,
                 .code = Value(state)});
}

// libpq tells no SQLSTATE of a connection that was refused, only what the server said.
TaskOutcome Conversation::no_connection() const {
  std::string message = text_of_bytes(PQerrorMessage(connection_.get()));
  while (message.ends_with('\n')) message.pop_back();
  const bool authorization = message.contains("authentication failed") || message.contains("no password supplied") ||
                             message.contains("no pg_hba.conf entry");
  if (authorization) {
    return failed(
        {.error_class = error_class::kAuthorization, .kind = "sql_28000", .message = message, .code = "28000"});
  }
  return failed({.kind = "connection", .message = message, .retryable = true});
}

}  // namespace

TaskOutcome PostgresTool::run(const ToolCall& call) {
  const auto asked = sql_call(call);
  if (!asked) return asked.error();
  if (asked->query.contains('\0')) return wrong_field("'query' of postgres cannot hold the character U+0000");
  return Conversation(call).ask(*asked);
}

}  // namespace stepwell
