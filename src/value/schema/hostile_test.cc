#include <thread>

#include <gtest/gtest.h>

#include "stepwell/base/limits.h"
#include "stepwell/value/schema.h"
#include "stepwell/value/testing/json.h"

// Schemas and instances that are made to hurt.
namespace stepwell {
namespace {

using testing::json;

Schema compile(const Value& schema) {
  auto compiled = Schema::compile(schema);
  EXPECT_TRUE(compiled) << compiled.error().front().pointer << ": " << compiled.error().front().message;
  return *compiled;
}

Value reference(const std::string& name) { return Value::map({{"$ref", "#/definitions/" + name}}); }

// definitions d0 ... dn, each of which applies the next one twice by the keyword; the last one is `last`.
Value diamonds(const char* keyword, int levels, Value last) {
  std::vector<Member> definitions;
  for (int i = 0; i < levels; ++i) {
    const Value next = reference("d" + std::to_string(i + 1));
    definitions.push_back({"d" + std::to_string(i), Value::map({{keyword, Value::list({next, next})}})});
  }
  definitions.push_back({"d" + std::to_string(levels), std::move(last)});
  return Value::map({{"definitions", Value::map(std::move(definitions))}, {"$ref", "#/definitions/d0"}});
}

// A list around a list around ... null.
Value nested_lists(std::size_t depth) {
  Value value;
  for (std::size_t i = 0; i < depth; ++i) value = Value::list({value});
  return value;
}

TEST(HostileSchema, DiamondsOfReferencesCostOncePerNode) {
  for (const char* keyword : {"allOf", "anyOf"}) {
    const Schema schema = compile(diamonds(keyword, 200, json(R"({"minimum": 1})")));
    const ValidationBounds bounds{.steps = 5'000};
    EXPECT_TRUE(schema.accepts(Value(1), bounds)) << keyword;
    const auto violations = schema.validate(Value(0), bounds);
    ASSERT_EQ(violations.size(), 1u) << keyword;
    EXPECT_NE(violations[0].rule, "limit") << violations[0].message;
  }
}

TEST(HostileSchema, DiamondsGoingDownTheInstanceCostOncePerPlace) {
  const Schema schema = compile(json(R"({
      "definitions": {"n": {"allOf": [{"items": {"$ref": "#/definitions/n"}}, {"items": {"$ref": "#/definitions/n"}}],
                            "type": "array"}},
      "$ref": "#/definitions/n"})"));
  const auto violations = schema.validate(nested_lists(200), {.steps = 20'000});
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].rule, "type") << violations[0].message;
}

TEST(HostileSchema, AValueThatHoldsItselfTwiceOverIsCheckedOnceWherePossible) {
  Value tower = Value(1);
  for (int i = 0; i < 200; ++i) tower = Value::list({tower, tower});
  const Schema recursive = compile(json(R"({"type": ["array", "integer"], "items": {"$ref": "#"}})"));
  EXPECT_TRUE(recursive.accepts(tower, {.steps = 5'000}));

  const Schema wrong = compile(json(R"({"type": ["array", "string"], "items": {"$ref": "#"}})"));
  const auto violations = wrong.validate(tower, {.violations = 10});
  ASSERT_EQ(violations.size(), 11u);
  EXPECT_EQ(violations.back().rule, "limit");

  const Schema unique = compile(json(R"({"uniqueItems": true})"));
  Value other = Value(1);
  for (int i = 0; i < 200; ++i) other = Value::list({other, other});
  EXPECT_EQ(unique.validate(Value::list({tower, other}), {.steps = 100'000}).back().rule, "limit");
}

TEST(HostileSchema, ALongChainOfSchemasForOneInstanceIsGivenUp) {
  std::vector<Member> definitions;
  constexpr int kLength = 20'000;
  for (int i = 0; i < kLength; ++i) {
    definitions.push_back(
        {"d" + std::to_string(i), Value::map({{"allOf", Value::list({reference("d" + std::to_string(i + 1))})}})});
  }
  definitions.push_back({"d" + std::to_string(kLength), Value(true)});
  const Schema schema =
      compile(Value::map({{"definitions", Value::map(std::move(definitions))}, {"$ref", "#/definitions/d0"}}));
  EXPECT_FALSE(schema.accepts(Value(1)));
  const auto violations = schema.validate(Value(1));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].message, "the check was given up: schemas apply one another too deeply");
}

TEST(HostileSchema, ALongChainOfPlainReferencesIsNone) {
  std::vector<Member> definitions;
  constexpr int kLength = 20'000;
  for (int i = 0; i < kLength; ++i)
    definitions.push_back({"d" + std::to_string(i), reference("d" + std::to_string(i + 1))});
  definitions.push_back({"d" + std::to_string(kLength), Value::map({{"const", 1}})});
  const Schema schema =
      compile(Value::map({{"definitions", Value::map(std::move(definitions))}, {"$ref", "#/definitions/d0"}}));
  EXPECT_TRUE(schema.accepts(Value(1)));
  EXPECT_FALSE(schema.accepts(Value(2)));
}

TEST(HostileSchema, TheDeepestValuesAreFine) {
  const Schema schema = compile(json(R"({"items": {"$ref": "#"}, "type": "array"})"));
  const auto violations = schema.validate(nested_lists(limits::kValueDepth));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].instance.size(), 2 * limits::kValueDepth);

  Value deep = Value(true);
  while (deep.depth() < limits::kValueDepth) deep = Value::map({{"not", deep}});
  EXPECT_TRUE(compile(deep).accepts(Value(1)));
}

TEST(HostileSchema, ASchemaThatUnfoldsForEverIsRefused) {
  Value tower = Value(true);
  for (int i = 0; i < 100; ++i) tower = Value::map({{"allOf", Value::list({tower, tower})}});
  const auto compiled = Schema::compile(tower);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().front().message, "is too much: a schema may have 100000 subschemas");
}

TEST(HostileSchema, ALongNameCannotMultiplyIntoPointers) {
  std::vector<Member> properties;
  for (int i = 0; i < 1'000; ++i) properties.push_back({"p" + std::to_string(i), Value(false)});
  const std::string name(1 << 20, 'x');
  const Value inner = Value::map({{"properties", Value::map(properties)}});
  EXPECT_FALSE(Schema::compile(Value::map({{"properties", Value::map({{name, inner}})}})));

  const Schema schema = compile(Value::map({{"additionalProperties", inner}}));
  const auto violations = schema.validate(Value::map({{name, Value::map(properties)}}));
  EXPECT_LT(violations.size(), 10u);
  EXPECT_EQ(violations.back().rule, "limit");
}

// The place of everything below a long name is a long text: it must not be made for each of many parts.
TEST(HostileSchema, ManyPartsBelowALongNameAreGivenUpSoon) {
  const std::string name(8 << 20, 'x');
  const auto refused = [&](const char* keyword, const Value& part) {
    const Value inner = Value::map({{keyword, Value::list(std::vector<Value>(200'000, part))}});
    const auto compiled = Schema::compile(Value::map({{"properties", Value::map({{name, inner}})}}));
    return !compiled && compiled.error().size() < 5;
  };
  EXPECT_TRUE(refused("required", Value(1)));
  EXPECT_TRUE(refused("type", "string"));
  EXPECT_TRUE(refused("allOf", Value(true)));

  const Value target = Value::map({{name, Value::map({{"$id", "#far"}})}});
  const Value references = Value::list(std::vector<Value>(50'000, Value::map({{"$ref", "#far"}})));
  const auto compiled = Schema::compile(Value::map({{"definitions", target}, {"allOf", references}}));
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().front().message, "is too much: a schema may have 100000 subschemas");
}

TEST(HostileSchema, ViolationsAreBoundedAndTheLastOneSaysSo) {
  const Schema schema = compile(json(R"({"items": false})"));
  const auto violations = schema.validate(Value::list(std::vector<Value>(5'000, Value(1))));
  ASSERT_EQ(violations.size(), limits::kSchemaViolations + 1);
  EXPECT_EQ(violations.back().rule, "limit");
  EXPECT_EQ(violations.back().message, "there are more violations; only the first 1000 found are listed");
}

TEST(HostileSchema, StepsAreBoundedAndThatIsAViolation) {
  const Schema schema = compile(json(R"({"items": {"type": "integer"}})"));
  const Value list = Value::list(std::vector<Value>(5'000, Value(1)));
  EXPECT_TRUE(schema.accepts(list));
  EXPECT_FALSE(schema.accepts(list, {.steps = 100}));
  const auto violations = schema.validate(list, {.steps = 100});
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].message, "the check was given up: it takes too many steps");
}

TEST(HostileSchema, NegationDoesNotTurnGivingUpIntoAcceptance) {
  const Schema schema = compile(json(R"({"not": {"items": {"type": "string"}}})"));
  EXPECT_FALSE(schema.accepts(Value::list(std::vector<Value>(5'000, Value("x"))), {.steps = 100}));
}

TEST(HostileSchema, UniqueItemsOfALongListAreNotComparedPairwise) {
  std::vector<Value> items;
  for (int i = 0; i < 100'000; ++i) items.push_back(Value::map({{"id", i}}));
  const Schema schema = compile(json(R"({"uniqueItems": true})"));
  EXPECT_TRUE(schema.accepts(Value::list(items), {.steps = 20'000'000}));
  items.push_back(items[500]);
  EXPECT_FALSE(schema.accepts(Value::list(items), {.steps = 20'000'000}));
}

TEST(SchemaThreads, OneSchemaServesMany) {
  const Schema schema = compile(json(R"({"properties": {"a": {"pattern": "^(a|b)*c$"}}, "required": ["a"]})"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([copy = schema] {
      for (int i = 0; i < 500; ++i) {
        EXPECT_TRUE(copy.accepts(Value::map({{"a", "ababc"}})));
        EXPECT_EQ(copy.validate(Value::map({{"a", "abab"}})).size(), 1u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace stepwell
