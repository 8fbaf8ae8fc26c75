#include "stepwell/expr/tree_value.h"

#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/parser.h"
#include "stepwell/expr/testing/expressions.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {
namespace {

using testing::from_json;

std::string value_of(std::string_view source) {
  return to_json(tree_to_value(*parse_template("{{ " + std::string(source) + " }}")));
}
std::string template_value_of(std::string_view source) { return to_json(tree_to_value(*parse_template(source))); }

// The canonical text, or why there is none.
std::string read(std::string_view json) {
  const auto tree = tree_from_value(from_json(json));
  return tree ? tree->source : tree.error();
}

TEST(TreeValueTest, OperandsComeBeforeTheirOperator) {
  EXPECT_EQ(value_of("ctx.total > 100 and not ctx.paid"),
            R"([["$","ctx"],[".","total"],100,">",["$","ctx"],[".","paid"],"not",["and",2]])");
  EXPECT_EQ(value_of("-x[1:] ~ 'a'"), R"([["$","x"],1,null,null,"[:]","neg",["'","a"],["~",2]])");
  EXPECT_EQ(value_of("0 < a <= 1.5"), R"([0,["$","a"],1.5,["<","<="]])");
  EXPECT_EQ(value_of("[a, {'k': true}] if c else f(1, x=2)"),
            R"([["$","c"],["$","a"],["'","k"],true,["map",2],["list",2],1,2,["call","f",2,"x"],["?",3]])");
  EXPECT_EQ(value_of("a.split(',') | map('upper') is defined"),
            R"([["$","a"],["'",","],["method","split",1],["'","upper"],["|","map",1],["is","defined",0]])");
}

TEST(TreeValueTest, TemplatesAreParts) {
  EXPECT_EQ(template_value_of("Hi {{ name }}"), R"([["text","Hi "],["$","name"],"print",["parts",2]])");
  EXPECT_EQ(template_value_of("{% if a %}b{% endif %}"),
            R"([["$","a"],["text","b"],["parts",1],["if",2],["parts",1]])");
  EXPECT_EQ(template_value_of("{% for x in y %}{% set n.z = x %}{% endfor %}"),
            R"([["$","x"],["$","y"],true,["attribute","n","z"],["$","x"],"set",["parts",1],["for",4],["parts",1]])");
  EXPECT_EQ(template_value_of("{% set x | upper %}{% endset %}"),
            R"_([["$","x"],["parts",0],["$","(captured)"],["|","upper",0],["capture",3],["parts",1]])_");
  EXPECT_EQ(template_value_of(""), R"([["parts",0]])");
}

TEST(TreeValueTest, WhatWasWrittenIsReadWithItsCanonicalText) {
  EXPECT_EQ(read(R"([["$","ctx"],[".","total"],100,">",["$","ctx"],[".","paid"],"not",["and",2]])"),
            "ctx.total > 100 and not ctx.paid");
  EXPECT_EQ(read(R"([["text","Hi "],["$","name"],"print",["parts",2]])"), "Hi {{ name }}");
  EXPECT_EQ(read("[-9223372036854775808]"), "-9223372036854775808");
}

TEST(TreeValueTest, AGuardIsSmall) {
  const auto guard = parse_expression("ctx.order.total > workload.limit and not ctx.paid");
  EXPECT_EQ(encode_cbor(tree_to_value(*guard)).size(), 74u);
}

TEST(TreeValueTest, WhatIsNoTreeIsRefusedWithItsPlace) {
  EXPECT_EQ(read("1"), ": expected a list of nodes, found integer");
  EXPECT_EQ(read("[]"), ": expected nodes that make one tree, found 0");
  EXPECT_EQ(read("[1, 2]"), ": expected nodes that make one tree, found 2");
  EXPECT_EQ(read(R"([1, "plus"])"), "/1: unknown word 'plus'");
  EXPECT_EQ(read(R"([1, "+"])"), "/1: this takes 2 operands, but only 1 come before it");
  EXPECT_EQ(read(R"([1, ["not"]])"), "/1: a node without fields is its word alone, not in a list");
  EXPECT_EQ(read(R"([1, ["not", 1]])"), "/1: 'not' has no fields and stands without a list");
  EXPECT_EQ(read(R"([1, "and"])"), "/1: 'and' has one field, how many operands it takes");
  EXPECT_EQ(read(R"([1, ["and", 1]])"), "/1/1: 'and' cannot take 1 operands");
  EXPECT_EQ(read(R"([1, ["list", -1]])"), "/1/1: expected a number of operands");
  EXPECT_EQ(read(R"([1, ["list", 9223372036854775807]])"), "/1/1: 'list' cannot take 9223372036854775807 operands");
  EXPECT_EQ(read(R"([1, ["call", "f", 9223372036854775807]])"),
            "/1: this takes 9223372036854775807 operands, but only 1 come before it");
  EXPECT_EQ(read(R"([1, ["map", 1]])"), "/1/1: 'map' takes an even number of operands");
  EXPECT_EQ(read(R"([1, 2, ["<", "+"]])"), "/2/1: expected the word of a comparison");
  EXPECT_EQ(read(R"([{}])"), "/0: expected a node, found a map");
  EXPECT_EQ(read(R"([-1])"), "/0: a constant cannot be negative; write its absolute value and 'neg'");
  EXPECT_EQ(read(R"([[1, 2]])"), "/0: a node with fields must start with its word");
  EXPECT_EQ(read(R"([["text", ""], ["parts", 1]])"), "/0/1: the text must not be empty");
  EXPECT_EQ(read(R"([["text", "a"], "not"])"), "/1: operand 1 of this must be an expression");
  EXPECT_EQ(read(R"([1, ["parts", 1]])"), "/1: operand 1 of this must be a part of a template");
  EXPECT_EQ(read(R"([1, "print"])"), ": the last node must be an expression or 'parts'");
}

TEST(TreeValueTest, NamesThatCannotBeWrittenAreRefused) {
  EXPECT_EQ(read(R"([["$", "a b"]])"), "/0/1: 'a b' is not a name");
  EXPECT_EQ(read(R"([["$", 1]])"), "/0/1: expected a text, found integer");
  EXPECT_EQ(read(R"([["$", ""]])"), "/0/1: '' is not a name");
  EXPECT_EQ(read(R"([1, ["|", "a..b", 0]])"), "/1/1: 'a..b' is not a name");
  EXPECT_EQ(read(R"([1, ["call", "f", 1, "a", "a"]])"), "/1/4: the argument 'a' is given twice");
  EXPECT_EQ(read(R"([1, ["call", "f", 0, "a"]])"), "/1/2: there are more names than arguments");
}

TEST(TreeValueTest, ATreeThatNoTextMeansIsRefused) {
  EXPECT_EQ(read(R"([["$", "and"]])"), ": no text means this tree: expected an expression, found 'and' in 'and' at 1");
  EXPECT_EQ(read(R"([["$", "true"]])"), ": no text means this tree; 'true' means another");
  EXPECT_EQ(read(R"([1, "print", ["parts", 1]])"), ": no text means this tree; '{{ 1 }}' means another");
  EXPECT_EQ(read(R"([["text", "a"], ["text", "b"], ["parts", 2]])"), ": no text means this tree; 'ab' means another");
  EXPECT_EQ(read(R"_([["$", "(captured)"]])_"),
            ": no text means this tree: expected an expression, found the end in '' at 1");
}

TEST(TreeValueTest, DepthIsBounded) {
  auto nested = [](int depth) {
    std::vector<Value> nodes = {1};
    for (int i = 1; i < depth; ++i) {
      nodes.push_back(1);
      nodes.push_back("+");
    }
    return tree_from_value(Value::list(nodes));
  };
  EXPECT_TRUE(nested(1000).has_value());
  EXPECT_EQ(nested(1001).error(), "/2000: the tree is more than 1000 deep");
}

TEST(UsesTest, AProgramKnowsTheBuiltInsItsSourceNames) {
  const auto program = compile_template(
      "{{ 'a' | upper }}{{ now() if x is odd else x.split(',') | upper }}{% for i in x %}{{ loop.cycle(1) }}{% endfor "
      "%}");
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->uses, (std::vector<std::string>{"filter:upper", "function:now", "method:split", "test:odd"}));
}

}  // namespace
}  // namespace stepwell
