#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;

class ValueCheckTest : public CommandTest {
 protected:
  // `stepwell value check --schema FILE ...` with this text in the file.
  Ran check(const std::string& schema, const std::vector<std::string>& arguments, const std::string& input = "") {
    return run_line({"value", "check", "--schema", file("schema.json", schema)}, arguments, input);
  }
};

constexpr const char* kSchema = R"({"properties": {"qty": {"minimum": 3}}, "required": ["id"]})";

TEST_F(ValueCheckTest, SaysThatAValueFits) {
  const Ran ran = check(kSchema, {R"({"id": 1, "qty": 3})"});
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_EQ(ran.out, "valid\n");
  EXPECT_EQ(check(kSchema, {}, R"({"id": 1})").out, "valid\n");
  EXPECT_EQ(check(kSchema, {"-"}, R"({"id": 1})").out, "valid\n");
}

TEST_F(ValueCheckTest, ListsEveryViolation) {
  const Ran ran = check(kSchema, {R"({"qty": 2})"});
  EXPECT_EQ(ran.code, ExitCode::failed);
  EXPECT_EQ(ran.out,
            "property \"id\" is missing (/required)\n"
            "/qty: must be at least 3, is 2 (/properties/qty/minimum)\n");
}

TEST_F(ValueCheckTest, AnswersInJson) {
  EXPECT_EQ(check(kSchema, {"--json", R"({"id": 1})"}).out, "{\"valid\":true,\"violations\":[]}\n");
  EXPECT_EQ(check(kSchema, {"--json", R"({"id": 1, "qty": 0})"}).out,
            R"({"valid":false,"violations":[{"rule":"minimum","schema":"/properties/qty/minimum",)"
            R"("message":"must be at least 3, is 0","instance":"/qty"}]})"
            "\n");
}

TEST_F(ValueCheckTest, AnswersLineByLine) {
  const Ran ran = check(kSchema, {"--batch"}, "{\"id\": 1}\n\n{\"id\": 1, \"qty\": 0}\n{\n");
  EXPECT_EQ(ran.code, ExitCode::ok);
  std::istringstream lines(ran.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, R"({"value":{"valid":true,"violations":[]}})");
  std::getline(lines, line);
  EXPECT_THAT(line, HasSubstr(R"("rule":"minimum")"));
  std::getline(lines, line);
  EXPECT_THAT(line, HasSubstr(R"({"error":{"code":"incomplete")"));
}

TEST_F(ValueCheckTest, ABadSchemaIsListedAndIsNotTheValuesFault) {
  const Ran ran = check(R"({"type": "sting", "minLength": -1})", {"1"});
  EXPECT_EQ(ran.code, ExitCode::usage);
  EXPECT_THAT(ran.err, HasSubstr(": /type: \"sting\" is not a type; did you mean \"string\"?\n"));
  EXPECT_THAT(ran.err, HasSubstr(": /minLength: must be a whole number, at least 0, is the number -1\n"));
  EXPECT_EQ(check("{", {"1"}).code, ExitCode::usage);
}

TEST_F(ValueCheckTest, WhatIsNoJsonIsNotChecked) {
  const Ran ran = check(kSchema, {"{"});
  EXPECT_EQ(ran.code, ExitCode::usage);
  EXPECT_THAT(ran.err, HasSubstr("line 1, column 2"));
}

}  // namespace
}  // namespace stepwell::cli
