#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;

constexpr const char* kBad = "workflow: [{step: ship, nxet: pay}, {step: pay, type: terminate, status: success}]\n";

class ValidateTest : public CommandTest {
 protected:
  static Ran validate(const std::vector<std::string>& arguments, const std::string& input = "") {
    return run_line({"validate"}, arguments, input);
  }
};

TEST_F(ValidateTest, ChecksEveryFileAndSaysEverythingInSourceOrder) {
  const std::string bad = file("bad.yaml", kBad);
  const Ran checked = validate({file("a.yaml", kGood), bad, file("b.yaml", kSchedule)});
  EXPECT_EQ(checked.code, ExitCode::usage);
  EXPECT_EQ(checked.out, "2 of 3 valid\n");
  EXPECT_EQ(checked.err, bad + ":1:25: error: step 'ship' has no key 'nxet'; did you mean 'next'? [key-unknown]\n" +
                             bad + ":1:37: error: step 'pay' has no 'reason' [key-missing]\n" +
                             "3 files, 2 errors, 0 warnings\n");
}

TEST_F(ValidateTest, ReadsTheStandardInput) {
  const Ran checked = validate({"-"}, kGood);
  EXPECT_EQ(checked.code, ExitCode::ok);
  EXPECT_EQ(checked.out, "1 of 1 valid\n");
  EXPECT_EQ(checked.err, "");
  EXPECT_EQ(validate({"--quiet", "-"}, kGood).out, "");
}

TEST_F(ValidateTest, WarningsAreNoFailure) {
  const Ran checked = validate({"-", file("a.yaml", kGood)}, "workflow: [{step: ship}, {step: pay}]");
  EXPECT_EQ(checked.code, ExitCode::ok);
  EXPECT_EQ(checked.out, "2 of 2 valid\n");
  EXPECT_THAT(checked.err, HasSubstr("standard input:1:26: warning: "));
  EXPECT_THAT(checked.err, HasSubstr("2 files, 0 errors, 1 warning\n"));
}

TEST_F(ValidateTest, AnswersInJsonWithOneListForAllFiles) {
  EXPECT_EQ(validate({"--json", "-"}, kGood).out, "[]\n");
  const std::string bad = file("bad.yaml", "kind: Schedule\ncron: '0 24 * * *'\nplaybook: a\n");
  const Ran checked = validate({"--json", file("good.yaml", kGood), bad});
  EXPECT_EQ(checked.code, ExitCode::usage);
  EXPECT_EQ(checked.err, "");
  const auto found = parse_json(checked.out);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->as_list().size(), 1u);
  const Value& first = found->as_list()[0];
  EXPECT_EQ(first.find("file")->as_text(), bad);
  EXPECT_EQ(first.find("line")->as_int(), 2);
  EXPECT_EQ(first.find("code")->as_text(), "cron");
}

TEST_F(ValidateTest, ADirectoryStandsForTheDocumentsInIt) {
  file("a.yaml", kGood);
  file("deep/er/b.yml", kSchedule);
  file("c.json", R"({"workflow": [{"step": "a"}]})");
  file("notes.txt", "no document");
  file(".hidden/d.yaml", "no document");
  file("deep/.e.yaml", "no document");
  const Ran checked = validate({folder()});
  EXPECT_EQ(checked.code, ExitCode::ok);
  EXPECT_EQ(checked.out, "3 of 3 valid\n");
}

TEST_F(ValidateTest, WantsFilesThatCanBeRead) {
  EXPECT_EQ(validate({}).err, "stepwell validate: which files? give one or more\n");
  const Ran empty = validate({folder()});
  EXPECT_EQ(empty.code, ExitCode::usage);
  EXPECT_THAT(empty.err, HasSubstr(":1:1: error: there is no .yaml, .yml or .json in '"));
  const Ran missing = validate({"no/such/file.yaml", file("a.yaml", kGood)});
  EXPECT_EQ(missing.code, ExitCode::usage);
  EXPECT_EQ(missing.out, "1 of 2 valid\n");
  EXPECT_THAT(missing.err, HasSubstr("no/such/file.yaml:1:1: error: "));
}

}  // namespace
}  // namespace stepwell::cli
