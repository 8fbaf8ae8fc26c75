#include "stepwell/tools/sql_fields.h"

#include "stepwell/tools/call_fields.h"
#include "stepwell/tools/tool_error.h"
#include "stepwell/tools/used_secrets.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

std::expected<SqlCall, TaskOutcome> sql_call(const ToolCall& call) {
  CallFields fields(call);
  const std::string_view name = fields.text("connection");
  SqlCall made{.query = std::string(fields.text("query")), .params = fields.list("params")};
  if (auto wrong = fields.wrong()) return std::unexpected(std::move(*wrong));
  auto connection = call.secrets->find(name);
  if (!connection) return std::unexpected(no_secret(name));
  made.connection = std::move(*connection);
  return made;
}

std::string parameter_text(const Value& value) {
  return value.is_text() ? std::string(value.as_text()) : to_json(value);
}

bool SqlRows::add(std::vector<Member> row) {
  Value made = Value::map(std::move(row));
  weight_ += made.weight();
  if (weight_ > most_) return false;
  rows_.push_back(std::move(made));
  return true;
}

Value sql_result(SqlRows& rows, std::int64_t rowcount) {
  return Value::map({{"rows", rows.take()}, {"rowcount", rowcount}});
}

}  // namespace stepwell
