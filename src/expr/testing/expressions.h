#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

// Expressions and templates as tests write them: source and context as text in, JSON or the error out.
namespace stepwell::testing {

inline Value from_json(std::string_view text) {
  const auto value = parse_json(text);
  CHECK(value.has_value());
  return *value;
}

inline std::expected<Value, ExprError> run(const std::expected<Program, ExprError>& program, std::string_view context,
                                           const EvalLimits& limits = {}) {
  if (!program) return std::unexpected(program.error());
  const Value map = from_json(context);
  Ambient ambient;
  return evaluate(*program, inputs_from(*program, map), ambient, limits);
}

// The value as JSON, or the word of the fault and what a person is told: "type: cannot add ... at 7".
inline std::string answer_of(const std::expected<Value, ExprError>& result) {
  if (result) return to_json(*result);
  return std::string(fault_word(result.error().code)) + ": " + result.error().summary();
}

inline std::string eval(std::string_view expression, std::string_view context = "{}", const EvalLimits& limits = {}) {
  return answer_of(run(compile_expression(expression), context, limits));
}

inline std::string render(std::string_view source, std::string_view context = "{}", const EvalLimits& limits = {}) {
  return answer_of(run(compile_template(source), context, limits));
}

struct Example {
  std::string_view expression;
  std::string_view result;  // JSON, or the beginning of "word: message"
};

inline void expect_results(const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    const std::string got = eval(example.expression);
    const bool is_fault = example.result.find(": ") != std::string_view::npos && got.starts_with(example.result);
    if (!is_fault) {
      EXPECT_EQ(got, example.result) << example.expression;
    }
  }
}

}  // namespace stepwell::testing
