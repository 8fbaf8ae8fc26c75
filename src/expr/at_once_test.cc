#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/machine.h"
#include "stepwell/expr/testing/expressions.h"
#include "stepwell/value/encoded_value.h"

namespace stepwell {
namespace {

using testing::from_json;

constexpr std::string_view kOrder =
    R"({"n": 3, "x": 1.5, "s": "text", "t": true, "none": null, "l": [1, 2], "m": {"a": 1},)"
    R"( "ref": {"$ref": "sha256:0", "size": 1, "type": "map"}})";

// What a program gives by the machine and at once, with the fuel left: as text, to be compared and read.
struct Both {
  std::string machine;
  std::optional<std::string> at_once;
};

std::string shown(const Value& value, std::uint64_t fuel) { return to_json(value) + " with " + std::to_string(fuel); }

Both evaluated(const Program& program, std::span<const Input> inputs) {
  Ambient ambient;
  Machine machine(program, inputs, ambient, {});
  const auto value = machine.run();
  Ambient spent;
  const auto quick = evaluate_at_once(program, inputs, spent);
  return {value ? shown(*value, machine.fuel_left()) : value.error().summary(),
          quick ? std::optional(shown(*quick, EvalLimits().fuel - spent.operations)) : std::nullopt};
}

Both asked(const Program& program, std::span<const Input> inputs) {
  Ambient ambient;
  Machine machine(program, inputs, ambient, {});
  const auto answer = machine.ask();
  Ambient spent;
  const auto quick = ask_at_once(program, inputs, spent);
  return {answer ? shown(*answer, machine.fuel_left()) : answer.error().summary(),
          quick ? std::optional(shown(*quick, EvalLimits().fuel - spent.operations)) : std::nullopt};
}

class AtOnceTest : public ::testing::Test {
 protected:
  Program compiled(std::string_view source) const { return compile_expression(source).value(); }

  Value order_ = from_json(kOrder);
  EncodedValue bytes_{order_};
};

TEST_F(AtOnceTest, AnswersAsTheMachineDoesOrNotAtAll) {
  for (const std::string_view operand : {"o.n", "o.x", "o.s", "o.t", "o.none", "o.l", "o.m", "o.m.a", "o.ref", "o.gone",
                                         "o.s.gone", "o.l[0]", "o", "3", "'text'"}) {
    for (const std::string_view rest : {"", " == 3", " != 'text'", " < 2", " >= o.x", " == o.m", " in o.l", " < o.s",
                                        " == o.gone", " == o.ref", " + 1", " and o.t"}) {
      const std::string source = std::string(operand) + std::string(rest);
      const Program program = compiled(source);
      const std::vector<Input> as_values(program.roots.size(), Input(order_));
      const std::vector<Input> as_bytes(program.roots.size(), Input(bytes_.view()));
      for (const std::vector<Input>& inputs : {as_values, as_bytes}) {
        const Both value = evaluated(program, inputs);
        EXPECT_EQ(value.at_once.value_or(value.machine), value.machine) << source;
        const Both answer = asked(program, inputs);
        EXPECT_EQ(answer.at_once.value_or(answer.machine), answer.machine) << source;
      }
    }
  }
}

TEST_F(AtOnceTest, IsTakenForAPlaceAndForAComparison) {
  const std::vector<Input> inputs = {Input(bytes_.view())};
  EXPECT_TRUE(evaluated(compiled("o.m.a"), inputs).at_once);
  EXPECT_TRUE(asked(compiled("o.t"), inputs).at_once);
  EXPECT_TRUE(asked(compiled("o.n <= o.x"), inputs).at_once);
  EXPECT_TRUE(asked(compiled("o.s == 'text'"), inputs).at_once);
}

TEST_F(AtOnceTest, SpendsWithinTheBudget) {
  const std::vector<Input> inputs = {Input(bytes_.view())};
  const Program program = compiled("o.n < 4");
  Ambient ambient;
  EXPECT_EQ(ask_at_once(program, inputs, ambient, {.fuel = 3}), true);
  EXPECT_EQ(ambient.operations, 3u);
  EXPECT_EQ(ask_at_once(program, inputs, ambient, {.fuel = 2}), std::nullopt);
  EXPECT_EQ(ambient.operations, 3u);
}

}  // namespace
}  // namespace stepwell
