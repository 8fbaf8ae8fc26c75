#pragma once

#include <string>
#include <string_view>

#include "stepwell/base/check.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/parser.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

// How the tests of this layer ask: source and context as text in, JSON or "code: summary" out.
namespace stepwell::testing {

inline Value from_json(std::string_view text) {
  const auto value = parse_json(text);
  CHECK(value.has_value());
  return *value;
}

inline std::string answer_of(const std::expected<Value, ExprError>& result) {
  if (result) return to_json(*result);
  return std::string(fault_word(result.error().code)) + ": " + result.error().summary();
}

inline std::expected<Value, ExprError> run(const std::expected<Program, ExprError>& program, std::string_view context,
                                           const EvalLimits& limits = {}) {
  if (!program) return std::unexpected(program.error());
  const Value map = from_json(context);
  Ambient ambient;
  return evaluate(*program, inputs_from(*program, map), ambient, limits);
}

inline std::string eval(std::string_view expression, std::string_view context = "{}", const EvalLimits& limits = {}) {
  return answer_of(run(compile_expression(expression), context, limits));
}

inline std::string render(std::string_view source, std::string_view context = "{}", const EvalLimits& limits = {}) {
  return answer_of(run(compile_template(source), context, limits));
}

}  // namespace stepwell::testing
