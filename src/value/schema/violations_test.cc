#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/value/schema.h"
#include "stepwell/value/testing/json.h"

// What a user reads when an instance does not fit.
namespace stepwell {

void PrintTo(const Violation& violation, std::ostream* out) {
  *out << "{" << violation.instance << " | " << violation.schema << " | " << violation.rule << " | "
       << violation.message << "}";
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::json;

std::vector<Violation> violations(std::string_view schema, std::string_view instance) {
  const auto compiled = Schema::compile(json(schema));
  EXPECT_TRUE(compiled) << schema << ": " << (compiled ? "" : compiled.error().front().message);
  return compiled ? compiled->validate(json(instance)) : std::vector<Violation>();
}

// The only message there is.
std::string message(std::string_view schema, std::string_view instance) {
  const std::vector<Violation> found = violations(schema, instance);
  EXPECT_EQ(found.size(), 1u) << schema;
  return found.empty() ? "" : found.front().message;
}

TEST(Violations, EachHasPlaceRuleAndMessage) {
  EXPECT_THAT(violations(R"({"properties": {"lines": {"items": {"properties": {"qty": {"minimum": 3}}}}}})",
                         R"({"lines": [{"qty": 3}, {"qty": 2}]})"),
              ElementsAre(Violation{"/lines/1/qty", "/properties/lines/items/properties/qty/minimum", "minimum",
                                    "must be at least 3, is 2"}));
}

TEST(Violations, AllAreListedInTheOrderOfTheInstance) {
  const auto found = violations(R"({
      "allOf": [{"properties": {"b": {"type": "string"}}}],
      "properties": {"a": {"items": {"maximum": 1}}, "b": {"type": "boolean"}},
      "required": ["z"]})",
                                R"({"b": 1, "a": [5, 0, 7]})");
  std::vector<std::string> places;
  for (const Violation& violation : found) places.push_back(violation.instance + " " + violation.schema);
  EXPECT_THAT(places, ElementsAre(" /required", "/a/0 /properties/a/items/maximum", "/a/2 /properties/a/items/maximum",
                                  "/b /properties/b/type", "/b /allOf/0/properties/b/type"));
}

TEST(Violations, PointersEscapeTheirTokens) {
  EXPECT_THAT(violations(R"({"properties": {"a/b~": false}})", R"({"a/b~": 1})"),
              ElementsAre(Violation{"/a~1b~0", "/properties/a~1b~0", "false", "is not allowed"}));
}

TEST(Violations, ARuleReachedTwiceIsReportedOnce) {
  EXPECT_THAT(violations(R"({"definitions": {"n": {"minimum": 1}},
                             "allOf": [{"$ref": "#/definitions/n"}, {"$ref": "#/definitions/n"}]})",
                         "0"),
              ElementsAre(Violation{"", "/definitions/n/minimum", "minimum", "must be at least 1, is 0"}));
}

TEST(Violations, RulesOfTheMetaSchemaHaveItsAddress) {
  EXPECT_THAT(violations(R"({"$ref": "http://json-schema.org/draft-07/schema#"})", R"({"minLength": -1})"),
              ElementsAre(Violation{"/minLength",
                                    "http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger/minimum",
                                    "minimum", "must be at least 0, is -1"}));
}

TEST(Messages, OfTypesAndChoices) {
  EXPECT_EQ(message(R"({"type": "integer"})", R"("abc")"), R"(must be an integer, is the string "abc")");
  EXPECT_EQ(message(R"({"type": ["string", "null", "array"]})", "2.5"),
            "must be null, a string or an array, is the number 2.5");
  EXPECT_EQ(message(R"({"type": "string"})", "[1, 2]"), "must be a string, is an array of 2 items");
  EXPECT_EQ(message(R"({"type": "string"})", R"({"a": 1})"), "must be a string, is an object with 1 property");
  EXPECT_EQ(message(R"({"type": "string"})", "null"), "must be a string, is null");
  EXPECT_EQ(message(R"({"type": "string"})", "true"), "must be a string, is the boolean true");
  EXPECT_EQ(message(R"({"const": {"a": 1}})", "1"), R"(must be {"a":1}, is 1)");
  EXPECT_EQ(message(R"({"enum": ["red", "green"]})", R"("gren")"),
            R"(must be one of "red", "green", is "gren"; did you mean "green"?)");
  EXPECT_EQ(message(R"({"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]})", "0"),
            "must be one of 1, 2, 3, 4, 5, 6, 7, 8 and 2 more, is 0");
  EXPECT_EQ(message(R"({"enum": [1]})", "0"), "must be 1, is 0");
}

TEST(Messages, OfNumbersAndStrings) {
  EXPECT_EQ(message(R"({"maximum": 2.5})", "3"), "must be at most 2.5, is 3");
  EXPECT_EQ(message(R"({"exclusiveMinimum": 0})", "0"), "must be more than 0, is 0");
  EXPECT_EQ(message(R"({"exclusiveMaximum": 0})", "0"), "must be less than 0, is 0");
  EXPECT_EQ(message(R"({"multipleOf": 0.01})", "0.005"), "must be a multiple of 0.01, is 0.005");
  EXPECT_EQ(message(R"({"minLength": 3})", R"("é")"), "must have at least 3 characters, has 1");
  EXPECT_EQ(message(R"({"maxLength": 1})", R"("😀😀")"), "must have at most 1 character, has 2");
  EXPECT_EQ(message(R"({"pattern": "^[a-z]+$"})", R"("A1")"), R"(must match the pattern "^[a-z]+$", is "A1")");
  EXPECT_EQ(message(R"({"format": "date"})", R"("today")"), R"(must be a date such as 2024-02-29, is "today")");
}

TEST(Messages, OfArrays) {
  EXPECT_EQ(message(R"({"minItems": 2})", "[1]"), "must have at least 2 items, has 1");
  EXPECT_EQ(message(R"({"maxItems": 1})", "[1, 2]"), "must have at most 1 item, has 2");
  EXPECT_EQ(message(R"({"uniqueItems": true})", "[1, 2, 1.0]"),
            "must not have equal items, but items 0 and 2 are both 1");
  EXPECT_EQ(message(R"({"items": [true], "additionalItems": false})", "[1, 2]"),
            "is one item too many, only 1 is allowed");
  EXPECT_EQ(message(R"({"contains": {"minimum": 5}})", "[1, 2]"),
            R"(must have an item that matches "/contains", but none of its 2 items does)");
}

TEST(Messages, OfObjects) {
  EXPECT_EQ(message(R"({"required": ["id"]})", "{}"), R"(property "id" is missing)");
  EXPECT_EQ(message(R"({"minProperties": 1})", "{}"), "must have at least 1 property, has 0");
  EXPECT_EQ(message(R"({"maxProperties": 0})", R"({"a": 1})"), "must have at most 0 properties, has 1");
  EXPECT_EQ(message(R"({"properties": {"colour": {}}, "additionalProperties": false})", R"({"color": 1})"),
            R"(property "color" is not allowed; did you mean "colour"?)");
  EXPECT_EQ(message(R"({"dependencies": {"card": ["address"]}})", R"({"card": 1})"),
            R"(property "address" is missing, which "card" requires)");
  EXPECT_THAT(violations(R"({"propertyNames": {"maxLength": 1}})", R"({"ab": 1})"),
              ElementsAre(Violation{"/ab", "/propertyNames/maxLength", "maxLength",
                                    R"(the name "ab" must have at most 1 character, has 2)"}));
}

TEST(Messages, OfAlternativesNameTheClosest) {
  EXPECT_EQ(message(R"({"anyOf": [{"type": "string"}, {"properties": {"a": {"maximum": 1}}}, {"minProperties": 5}]})",
                    R"({"a": 2})"),
            "matches none of 3 alternatives; number 2 comes closest: /a must be at most 1, is 2");
  EXPECT_EQ(message(R"({"oneOf": [{"type": "string"}, {"minimum": 5}]})", "1"),
            "matches none of 2 alternatives; number 2 comes closest: must be at least 5, is 1");
  EXPECT_EQ(message(R"({"oneOf": [{"type": "string"}, {"minimum": 5}, true]})", "7"),
            "must match exactly one of 3 alternatives, matches numbers 2 and 3");
  EXPECT_EQ(message(R"({"not": {"type": "string"}})", R"("x")"), R"(must not match "/not", but is "x")");
}

TEST(Violations, AConditionIsReportedByItsBranch) {
  constexpr std::string_view kSchema =
      R"({"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}})";
  EXPECT_THAT(violations(kSchema, R"("a")"),
              ElementsAre(Violation{"", "/then/minLength", "minLength", "must have at least 2 characters, has 1"}));
  EXPECT_THAT(violations(kSchema, "1"),
              ElementsAre(Violation{"", "/else/minimum", "minimum", "must be at least 2, is 1"}));
  EXPECT_THAT(violations(kSchema, "2"), IsEmpty());
}

}  // namespace
}  // namespace stepwell
