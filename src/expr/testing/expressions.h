#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/value/json_write.h"

// Expressions as tests write them.
namespace stepwell::testing {

// The value as JSON, or the word of the fault and its message: "value: method must be ...".
inline std::string result_of(std::string_view expression, const EvalLimits& limits = {}) {
  const auto told = [](const ExprError& error) { return std::string(fault_word(error.code)) + ": " + error.message; };
  const auto program = compile_expression(expression);
  if (!program) return told(program.error());
  const Value nothing = Value::map({});
  Ambient ambient;
  const auto value = evaluate(*program, inputs_from(*program, nothing), ambient, limits);
  return value ? to_json(*value) : told(value.error());
}

struct Example {
  std::string_view expression;
  std::string_view result;  // JSON, or the beginning of "word: message"
};

inline void expect_results(const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    const std::string got = result_of(example.expression);
    const bool is_fault = example.result.find(": ") != std::string_view::npos && got.starts_with(example.result);
    if (!is_fault) {
      EXPECT_EQ(got, example.result) << example.expression;
    }
  }
}

}  // namespace stepwell::testing
