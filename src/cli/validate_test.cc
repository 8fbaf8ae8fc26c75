#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kGood = "workflow: [{step: ship}]\n";
constexpr const char* kBad = "workflow: [{step: ship, nxet: pay}, {step: pay, type: terminate, status: success}]\n";

class ValidateTest : public CommandTest {
 protected:
  static Ran validate(const std::vector<std::string>& arguments, const std::string& input = "") {
    return run_line({"validate"}, arguments, input);
  }
};

TEST_F(ValidateTest, ChecksEveryFileAndSaysEverythingInSourceOrder) {
  const std::string bad = file("bad.yaml", kBad);
  const Ran checked = validate({file("a.yaml", kGood), bad, file("b.yaml", kGood)});
  EXPECT_EQ(checked.code, ExitCode::usage);
  EXPECT_EQ(checked.out, "2 of 3 valid\n");
  EXPECT_EQ(checked.err, bad + ":1:25: error: step 'ship' has no key 'nxet'; did you mean 'next'? [key-unknown]\n" +
                             bad + ":1:37: error: step 'pay' has no 'reason' [key-missing]\n");
}

TEST_F(ValidateTest, ReadsTheStandardInput) {
  const Ran checked = validate({"-"}, kGood);
  EXPECT_EQ(checked.code, ExitCode::ok);
  EXPECT_EQ(checked.out, "1 of 1 valid\n");
  EXPECT_EQ(validate({"--quiet", "-"}, kGood).out, "");
}

TEST_F(ValidateTest, AnswersInJson) {
  EXPECT_EQ(validate({"--json", "-"}, kGood).out, "[]\n");
  const Ran checked = validate({"--json", file("bad.yaml", kBad)});
  EXPECT_EQ(checked.code, ExitCode::usage);
  EXPECT_EQ(checked.err, "");
  EXPECT_THAT(checked.out, HasSubstr("\"code\": \"key-unknown\""));
}

TEST_F(ValidateTest, WantsFilesThatCanBeRead) {
  EXPECT_EQ(validate({}).err, "stepwell validate: which files? give one or more\n");
  const Ran missing = validate({"no/such/file.yaml", file("a.yaml", kGood)});
  EXPECT_EQ(missing.code, ExitCode::usage);
  EXPECT_EQ(missing.out, "1 of 2 valid\n");
  EXPECT_THAT(missing.err, HasSubstr("no/such/file.yaml:1:1: error: "));
}

}  // namespace
}  // namespace stepwell::cli
