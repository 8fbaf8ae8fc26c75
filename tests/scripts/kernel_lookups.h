#pragma once

#include <map>
#include <string>

#include "stepwell/expr/program.h"
#include "stepwell/kernel/playbook/lookups.h"

namespace stepwell {

// What a script lets decisions ask: blobs, and queries answered by an expression over ctx, which is as pure as a query
// has to be.
class ScriptLookups final : public Lookups {
 public:
  std::optional<Value> blob(std::string_view reference) const override;
  std::expected<Value, std::string> query(std::string_view sql, const Value& ctx) const override;

  // The first line is the query, the second the expression. Answers what the command prints.
  std::string define_query(const std::string& lines);
  void define_blob(const std::string& reference, Value value) { blobs_.insert_or_assign(reference, std::move(value)); }
  const std::map<std::string, Value, std::less<>>& blobs() const { return blobs_; }
  void clear() {
    queries_.clear();
    blobs_.clear();
  }

 private:
  std::map<std::string, Value, std::less<>> blobs_;
  std::map<std::string, Program, std::less<>> queries_;
};

}  // namespace stepwell
