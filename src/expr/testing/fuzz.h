#pragma once

#include <string>
#include <vector>

#include "stepwell/base/check.h"
#include "stepwell/base/utf8.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/parser.h"
#include "stepwell/expr/testing/round_trip.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"

// What the fuzz targets of this layer demand of any source text.
namespace stepwell::testing {

inline const Value& fuzz_context() {
  static const Value context = *parse_json(
      R"({"a": 1, "b": [1, 2.5, "x", null, true], "c": {"d": {"e": "f"}, "items": 3}, "s": "Žluťoučký kůň",)"
      R"( "l": [{"n": 2, "t": "b"}, {"n": 1, "t": "A"}], "n": null, "t": true})");
  return context;
}

inline void check_error(const ExprError& error, std::string_view source) {
  CHECK(error.source.size() <= source.size());
  CHECK(error.at <= error.source.size());
  CHECK(error.expression.begin <= error.expression.end && error.expression.end <= error.source.size());
  CHECK(!error.describe().empty());
}

// Refused with a place, or evaluated within its bounds to a value or an error with a place; and to the same whether the
// inputs come as values or as canonical bytes.
inline void check_program(const std::expected<Program, ExprError>& program, std::string_view source) {
  if (!program) return check_error(program.error(), source);
  CHECK(!dump(*program).empty());
  const EvalLimits limits = {.fuel = 20'000, .text_bytes = 100'000};
  Ambient ambient;
  const auto value = evaluate(*program, inputs_from(*program, fuzz_context()), ambient, limits);

  std::vector<std::string> bytes;
  std::vector<Input> encoded;
  bytes.reserve(program->roots.size());
  for (const std::string& root : program->roots) {
    const Value* member = fuzz_context().find(root);
    encoded.push_back(member == nullptr ? Input() : Input(EncodedView(bytes.emplace_back(encode_cbor(*member)))));
  }
  Ambient again;
  const auto same = evaluate(*program, encoded, again, limits);
  if (!value) check_error(value.error(), source);
  // Decoding costs fuel of its own, so that only one of the two may run out of it.
  const bool metered =
      (!value && value.error().code == FaultCode::fuel) || (!same && same.error().code == FaultCode::fuel);
  if (metered) return;
  CHECK(value.has_value() == same.has_value());
  if (value) CHECK(*value == *same);
}

// Every tree survives its canonical text and its value.
inline void check_round_trips(const std::expected<Tree, ExprError>& tree) {
  if (tree) CHECK(round_trip_problem(*tree, fuzz_context()).empty());
}

}  // namespace stepwell::testing
