#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "stepwell/tools/tool.h"
#include "stepwell/value/value.h"

// What the tools for databases have in common.
namespace stepwell {

struct SqlCall {
  std::string connection = {};  // what the secret holds
  std::string query = {};
  Value params = {};  // a list
};

// Reads the fields of a call; `connection` is the name of a secret.
std::expected<SqlCall, TaskOutcome> sql_call(const ToolCall& call);

// A parameter as text: lists and maps as JSON.
std::string parameter_text(const Value& value);

// Collects rows as long as they are no more than a result may hold.
class SqlRows {
 public:
  explicit SqlRows(std::size_t most) : most_(most) {}
  // False if there is no room for it.
  bool add(std::vector<Member> row);
  Value take() { return Value::list(std::move(rows_)); }
  std::size_t count() const { return rows_.size(); }

 private:
  std::size_t most_;
  std::uint64_t weight_ = 0;
  std::vector<Value> rows_;
};

// {rows, rowcount}
Value sql_result(SqlRows& rows, std::int64_t rowcount);

}  // namespace stepwell
