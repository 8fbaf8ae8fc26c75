#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;

class EvalCommand : public CommandTest {
 protected:
  static Ran eval(const std::vector<std::string>& arguments, const std::string& input = "") {
    return run_line({"eval"}, arguments, input);
  }
};

TEST_F(EvalCommand, PrintsAValueAsJsonAndTextAsItIs) {
  const std::string order = R"({"order": {"lines": [{"price": 10}, {"price": 5}]}})";
  EXPECT_EQ(eval({"{{ order.lines | sum(attribute='price') * 1.2 }}", "--with", order}).out, "18.0\n");
  EXPECT_EQ(eval({"order.lines[0]", "--with", order}).out, "{\"price\":10}\n");
  EXPECT_EQ(eval({"'a' ~ 1"}).out, "a1\n");
  EXPECT_EQ(eval({"'a' ~ 1", "--json"}).out, "\"a1\"\n");
}

TEST_F(EvalCommand, TheTextOfATemplateFileIsExactAndOnTheLineItEndsWithOne) {
  EXPECT_EQ(eval({"--template", "-"}, "a {{ 1 }}").out, "a 1");
  EXPECT_EQ(eval({"--template", "-"}, "a {{ 1 }}\n").out, "a 1\n");
  EXPECT_EQ(eval({"--template", "-"}, "1 + 1").out, "1 + 1");
  EXPECT_EQ(eval({"--template", "-", "--json"}, "a {{ 1 }}").out, "\"a 1\"\n");
  EXPECT_EQ(eval({"a {{ 1 }}"}).out, "a 1\n");
}

TEST_F(EvalCommand, WhatFailsToLoadIsAUsageErrorAndWhatFailsToRunIsAFailure) {
  EXPECT_EQ(eval({"1 +"}).code, ExitCode::usage);
  EXPECT_EQ(eval({"1 | uper"}).code, ExitCode::usage);
  EXPECT_EQ(eval({"1 | round(1, 2, 3, 4)"}).code, ExitCode::usage);
  EXPECT_EQ(eval({std::string(300, '(')}).code, ExitCode::usage);
  const Ran failed = eval({"missing"});
  EXPECT_EQ(failed.code, ExitCode::failed);
  EXPECT_EQ(failed.out, "");
  EXPECT_EQ(failed.err, "stepwell eval: 'missing' is undefined in 'missing' at 1\n  missing\n  ^\n");
  EXPECT_THAT(eval({"a.b", "--json", "--with", R"({"a": {}})"}).out, HasSubstr(R"("path":"a.b")"));
}

TEST_F(EvalCommand, ABadContextSaysWhere) {
  EXPECT_EQ(eval({"a", "--with", R"({"a": 1, "a": 2})"}).err,
            "stepwell eval: --with is not JSON: line 1, column 10: duplicate key 'a'\n");
  EXPECT_EQ(eval({"a", "--with", "[1]"}).code, ExitCode::usage);
  EXPECT_EQ(eval({"1", "--template", "x"}).err, "stepwell eval: give EXPR or --template, not both\n");
  EXPECT_THAT(eval({"--template", "no/such/file"}).err, HasSubstr("cannot read 'no/such/file': No such file"));
}

TEST_F(EvalCommand, DumpShowsTheStages) {
  EXPECT_EQ(eval({"1 + x", "--dump", "tree"}).out, "arithmetic +\n  constant 1\n  name x\n");
  EXPECT_THAT(eval({"1 + x.y", "--dump", "program"}).out, HasSubstr("\nreads x.y\n"));
  EXPECT_EQ(eval({"1 +", "--dump", "code"}).err, "stepwell eval: --dump takes tree or program\n");
}

TEST_F(EvalCommand, BatchAnswersEveryLineThatIsNotEmpty) {
  const Ran ran = eval({"--batch"}, R"({"expr": "a + 1", "context": {"a": 1}}

{"template": "{{ a }}", "context": {"a": [1]}}
{"template": "<{{ 1 }}>"}
{"expr": "1 / 0"}
{
{"expr": "1", "template": "2"}
)");
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_EQ(ran.out,
            R"({"value":2}
{"value":[1]}
{"value":"<1>"}
{"error":{"code":"division","line":1,"column":3,"message":"division by zero","expression":"1 / 0"}}
{"error":{"code":"usage","message":"the line is not JSON: line 1, column 2: the text ends too early; expected a key in double quotes or '}'"}}
{"error":{"code":"usage","message":"the line needs either 'template' or 'expr'"}}
)");
  EXPECT_EQ(eval({"--batch", "1"}).code, ExitCode::usage);
}

}  // namespace
}  // namespace stepwell::cli
