#include "stepwell/expr/shortcut.h"

#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/machine.h"
#include "stepwell/expr/testing/expressions.h"
#include "stepwell/value/encoded_value.h"

namespace stepwell {
namespace {

using testing::from_json;

constexpr std::string_view kOrder =
    R"({"n": 3, "x": 1.5, "s": "text", "t": true, "none": null, "l": [1, 2], "m": {"a": 1},)"
    R"( "ref": {"$ref": "sha256:0", "size": 1, "type": "map"}})";

// What the machine and the shortcut make of a program, with its fuel: as text, to be compared and read.
struct Both {
  std::string machine;
  std::optional<std::string> shortcut;
};

std::string shown(const Value& value, std::uint64_t fuel) { return to_json(value) + " with " + std::to_string(fuel); }

Both evaluated(const Program& program, std::span<const Input> inputs) {
  Ambient ambient;
  Machine machine(program, inputs, ambient, {});
  const auto value = machine.run();
  Budget budget({});
  const auto quick = evaluate_simple(program, inputs, budget);
  return {value ? shown(*value, machine.fuel_left()) : value.error().summary(),
          quick ? std::optional(shown(*quick, budget.fuel_left())) : std::nullopt};
}

Both asked(const Program& program, std::span<const Input> inputs) {
  Ambient ambient;
  Machine machine(program, inputs, ambient, {});
  const auto answer = machine.ask();
  Budget budget({});
  const auto quick = ask_simple(program, inputs, budget);
  return {answer ? shown(*answer, machine.fuel_left()) : answer.error().summary(),
          quick ? std::optional(shown(*quick, budget.fuel_left())) : std::nullopt};
}

class ShortcutTest : public ::testing::Test {
 protected:
  Program compiled(std::string_view source) const { return compile_expression(source).value(); }

  Value order_ = from_json(kOrder);
  EncodedValue bytes_{order_};
};

TEST_F(ShortcutTest, AnswersAsTheMachineDoesOrNotAtAll) {
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
        EXPECT_EQ(value.shortcut.value_or(value.machine), value.machine) << source;
        const Both answer = asked(program, inputs);
        EXPECT_EQ(answer.shortcut.value_or(answer.machine), answer.machine) << source;
      }
    }
  }
}

TEST_F(ShortcutTest, IsTakenForAPlaceAndForAComparison) {
  const std::vector<Input> inputs = {Input(bytes_.view())};
  EXPECT_TRUE(evaluated(compiled("o.m.a"), inputs).shortcut);
  EXPECT_TRUE(asked(compiled("o.t"), inputs).shortcut);
  EXPECT_TRUE(asked(compiled("o.n <= o.x"), inputs).shortcut);
  EXPECT_TRUE(asked(compiled("o.s == 'text'"), inputs).shortcut);
}

TEST_F(ShortcutTest, SpendsWithinTheBudget) {
  const std::vector<Input> inputs = {Input(bytes_.view())};
  const Program program = compiled("o.n < 4");
  Budget enough({.fuel = 3});
  EXPECT_EQ(ask_simple(program, inputs, enough), true);
  Budget scarce({.fuel = 2});
  EXPECT_EQ(ask_simple(program, inputs, scarce), std::nullopt);
}

}  // namespace
}  // namespace stepwell
