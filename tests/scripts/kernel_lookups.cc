#include "kernel_lookups.h"

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"

namespace stepwell {

std::optional<Value> ScriptLookups::blob(std::string_view reference) const {
  const auto found = blobs_.find(reference);
  return found == blobs_.end() ? std::nullopt : std::optional(found->second);
}

std::expected<Value, std::string> ScriptLookups::query(std::string_view sql, const Value& ctx) const {
  const auto found = queries_.find(sql);
  if (found == queries_.end()) return std::unexpected("the script does not say what it answers");
  const Value names = Value::map({{"ctx", ctx}});
  Ambient ambient;
  auto answer = evaluate(found->second, inputs_from(found->second, names), ambient);
  if (!answer) return std::unexpected(answer.error().message);
  return std::move(*answer);
}

std::string ScriptLookups::define_query(const std::string& lines) {
  const std::size_t end = lines.find('\n');
  const std::string expression = end == std::string::npos ? "" : lines.substr(end + 1);
  auto program = compile_expression(expression.substr(0, expression.find('\n')));
  if (!program) return program.error().summary() + "\n";
  queries_.insert_or_assign(lines.substr(0, end), std::move(*program));
  return "ok\n";
}

}  // namespace stepwell
