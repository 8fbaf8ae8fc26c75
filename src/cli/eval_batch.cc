#include "stepwell/cli/eval_batch.h"

#include "stepwell/cli/batch.h"
#include "stepwell/cli/stamp.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

LineAnswer bad_line(const std::string& message) { return refusal("usage", message); }

LineAnswer evaluated(std::string_view line) {
  const auto request = parse_json(line);
  if (!request) return bad_line("the line is not JSON: " + request.error().to_string());
  const Value* source = request->find("template");
  const Value* expression = request->find("expr");
  if ((source == nullptr) == (expression == nullptr)) return bad_line("the line needs either 'template' or 'expr'");
  const Value* text = source != nullptr ? source : expression;
  if (!text->is_text()) return bad_line("'template' and 'expr' are texts");
  const Value* context = request->find("context");
  const Value nothing = Value::map({});
  if (context != nullptr && !context->is_map()) return bad_line("'context' is an object");

  const auto program = source != nullptr ? compile_template(text->as_text()) : compile_expression(text->as_text());
  if (!program) return std::unexpected(error_value(program.error()));
  Ambient ambient{.stamp = fresh_stamp()};
  auto value = evaluate(*program, inputs_from(*program, context != nullptr ? *context : nothing), ambient);
  if (!value) return std::unexpected(error_value(value.error()));
  return *std::move(value);
}

}  // namespace

ExitCode evaluate_lines(Call& call) { return answer_lines(call, evaluated); }

Value error_value(const ExprError& error) {
  const Place place = place_of(error.source, error.at);
  const auto [begin, end] = error.expression;
  std::vector<Member> members = {
      {"code", fault_word(error.code)},
      {"message", error.message},
      {"expression", std::string_view(error.source).substr(begin, end - begin)},
      {"line", static_cast<std::int64_t>(place.line)},
      {"column", static_cast<std::int64_t>(place.column)},
  };
  if (!error.detail.empty()) members.push_back({"detail", error.detail});
  if (error.path) members.push_back({"path", error.path->str()});
  return Value::map(std::move(members));
}

}  // namespace stepwell::cli
