#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/value/json_read.h"
#include "stepwell/value/schema.h"

// What the author of a bad schema reads.
namespace stepwell {

void PrintTo(const SchemaDiagnostic& diagnostic, std::ostream* out) {
  *out << "{" << diagnostic.pointer << " | " << diagnostic.message << " | " << diagnostic.hint << "}";
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<SchemaDiagnostic> diagnostics(std::string_view schema) {
  const auto value = parse_json(schema);
  EXPECT_TRUE(value) << schema << ": " << (value ? "" : value.error().to_string());
  const auto compiled = Schema::compile(value.value_or(Value()));
  return compiled ? std::vector<SchemaDiagnostic>() : compiled.error();
}

TEST(SchemaDiagnostics, AllProblemsAreListed) {
  std::vector<std::string> places;
  for (const auto& found : diagnostics(R"({
         "type": "txt", "minLength": -1, "required": ["a", 1], "allOf": [],
         "properties": {"a": 7, "b": {"pattern": "("}}, "definitions": {"unused": {"maximum": "1"}}})")) {
    places.push_back(found.pointer);
  }
  EXPECT_THAT(places, UnorderedElementsAre("/type", "/minLength", "/required/1", "/allOf", "/properties/a",
                                           "/properties/b/pattern", "/definitions/unused/maximum"));
}

TEST(SchemaDiagnostics, ATypeThatIsNoneNamesTheNearest) {
  EXPECT_THAT(diagnostics(R"({"type": "sting"})"),
              ElementsAre(SchemaDiagnostic{"/type", R"("sting" is not a type)", R"(did you mean "string"?)"}));
  EXPECT_THAT(diagnostics(R"({"type": ["null", "list"]})"),
              ElementsAre(SchemaDiagnostic{"/type/1", R"("list" is not a type)", R"(did you mean "array"?)"}));
  EXPECT_THAT(diagnostics(R"({"type": "xyzzy"})"),
              ElementsAre(SchemaDiagnostic{"/type", R"("xyzzy" is not a type)",
                                           "types are null, boolean, integer, number, string, array and object"}));
}

TEST(SchemaDiagnostics, AValueOfTheWrongTypeSaysWhatIsExpected) {
  EXPECT_THAT(diagnostics("3"), ElementsAre(SchemaDiagnostic{
                                    "", "must be a schema, that is an object or a boolean, is the number 3", ""}));
  EXPECT_THAT(diagnostics(R"({"minItems": 1.5})"),
              ElementsAre(SchemaDiagnostic{"/minItems", "must be a whole number, at least 0, is the number 1.5", ""}));
  EXPECT_THAT(diagnostics(R"({"multipleOf": 0})"),
              ElementsAre(SchemaDiagnostic{"/multipleOf", "must be a number above 0, is the number 0", ""}));
  EXPECT_THAT(diagnostics(R"({"properties": []})"),
              ElementsAre(SchemaDiagnostic{
                  "/properties", "must be an object with a schema per property, is an array of 0 items", ""}));
}

TEST(SchemaDiagnostics, HabitsOfOlderDraftsGetAHint) {
  EXPECT_THAT(diagnostics(R"({"exclusiveMinimum": true})"),
              ElementsAre(SchemaDiagnostic{"/exclusiveMinimum", "must be a number, is the boolean true",
                                           "since draft 6 the bound itself stands here, instead of minimum"}));
  EXPECT_THAT(
      diagnostics(R"({"properties": {"a": {"required": true}}})"),
      ElementsAre(SchemaDiagnostic{"/properties/a/required", "must be an array of property names, is the boolean true",
                                   "the object around this one lists the names it requires"}));
}

TEST(SchemaDiagnostics, AnotherDraftIsRefusedRatherThanHalfObeyed) {
  EXPECT_THAT(diagnostics(R"({"$schema": "https://json-schema.org/draft/2020-12/schema"})"),
              ElementsAre(SchemaDiagnostic{
                  "/$schema",
                  R"("https://json-schema.org/draft/2020-12/schema" is not draft 7, which is the one understood here)",
                  "rewrite the schema for http://json-schema.org/draft-07/schema#"}));
  EXPECT_THAT(diagnostics(R"({"$schema": "http://json-schema.org/draft-07/schema#"})"), IsEmpty());
  EXPECT_THAT(diagnostics(R"({"$schema": "https://example.com/our-own"})"), IsEmpty());
}

TEST(SchemaDiagnostics, ABadPatternComesWithTheReason) {
  EXPECT_THAT(
      diagnostics(R"({"pattern": "a(b"})"),
      ElementsAre(SchemaDiagnostic{"/pattern", R"("a(b" is not a usable regular expression: missing ): a(b)", ""}));
  EXPECT_THAT(diagnostics(R"j({"patternProperties": {"(?=a)": true}})j"),
              ElementsAre(SchemaDiagnostic{"/patternProperties/(?=a)",
                                           "\"(?=a)\" is not a usable regular expression: "
                                           "look-ahead, which is not supported, at 0",
                                           ""}));
}

TEST(SchemaDiagnostics, AReferenceThatLeadsNowhereSaysWhere) {
  EXPECT_THAT(diagnostics(R"({"definitions": {"address": {}}, "items": {"$ref": "#/definitions/adress"}})"),
              ElementsAre(SchemaDiagnostic{"/items/$ref", R"(leads nowhere: there is no "adress" in "/definitions")",
                                           R"(did you mean "address"?)"}));
  EXPECT_THAT(diagnostics(R"({"items": {"$ref": "other.json#/a"}})"),
              ElementsAre(SchemaDiagnostic{
                  "/items/$ref", R"(leads to "other.json", which is not in this schema)",
                  "other documents are never fetched: copy it under definitions and give it that $id"}));
  EXPECT_THAT(diagnostics(R"({"items": {"$ref": "#definitions"}})"),
              ElementsAre(SchemaDiagnostic{"/items/$ref", R"(no schema has the $id "#definitions")",
                                           "a JSON pointer starts with a slash: #/definitions/name"}));
  EXPECT_THAT(diagnostics(R"({"items": {"$ref": 1}})"),
              ElementsAre(SchemaDiagnostic{"/items/$ref", "must be a string, is the number 1", ""}));
}

TEST(SchemaDiagnostics, AnIdIsTakenOnlyOnce) {
  EXPECT_THAT(
      diagnostics(R"({"definitions": {"a": {"$id": "#x"}, "b": {"$id": "#x"}}})"),
      ElementsAre(SchemaDiagnostic{"/definitions/b/$id", R"("#x" is taken by the schema at "/definitions/a")", ""}));
}

TEST(SchemaDiagnostics, AReferenceInCirclesWouldNeverEnd) {
  const std::string kMessage = "refers back to itself for the same instance, so a check would never end";
  const std::string kHint = "refer from inside properties or items, which go one level deeper";
  EXPECT_THAT(diagnostics(R"({"$ref": "#"})"), ElementsAre(SchemaDiagnostic{"/$ref", kMessage, kHint}));
  EXPECT_THAT(diagnostics(R"({"allOf": [{"$ref": "#"}]})"), ElementsAre(SchemaDiagnostic{"", kMessage, kHint}));
  EXPECT_THAT(diagnostics(R"({"definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}}})"),
              ElementsAre(SchemaDiagnostic{"/definitions/a/$ref", kMessage, kHint}));
  EXPECT_THAT(diagnostics(R"({"dependencies": {"a": {"if": {"$ref": "#"}, "then": true}}})"),
              ElementsAre(SchemaDiagnostic{"", kMessage, kHint}));
  EXPECT_THAT(diagnostics(R"({"properties": {"next": {"$ref": "#"}}})"), IsEmpty());
}

TEST(SchemaDiagnostics, WhatStandsBesideAReferenceIsIgnored) {
  EXPECT_THAT(diagnostics(R"({"definitions": {"a": true}, "$ref": "#/definitions/a", "type": "nonsense"})"), IsEmpty());
}

}  // namespace
}  // namespace stepwell
