#include "stepwell/cli/cli.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Cli : public CommandTest {
 protected:
  static Ran stepwell(const std::vector<std::string>& arguments, bool terminal = false) {
    return run_line({}, arguments, "", terminal);
  }
};

TEST_F(Cli, SaysItsVersion) {
  const Ran ran = stepwell({"--version"});
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_THAT(ran.out, testing::MatchesRegex("stepwell [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Cli, HelpListsCommandsAndShowsAnExample) {
  const Ran ran = stepwell({"--help"});
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_THAT(ran.out, HasSubstr("\n  eval   "));
  EXPECT_THAT(ran.out, HasSubstr("\n  value  "));
  EXPECT_THAT(ran.out, HasSubstr("\nexample:\n  stepwell "));
  EXPECT_THAT(ran.err, IsEmpty());
}

TEST_F(Cli, WithoutACommandHelpGoesToStderr) {
  const Ran ran = stepwell({});
  EXPECT_EQ(ran.code, ExitCode::usage);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, HasSubstr("usage: stepwell COMMAND"));
}

TEST_F(Cli, UnknownCommandNamesTheNearestOne) {
  const Ran ran = stepwell({"evla", "1"});
  EXPECT_EQ(ran.code, ExitCode::usage);
  EXPECT_EQ(ran.err, "stepwell: no command 'evla'; did you mean 'eval'?\n");
  EXPECT_THAT(stepwell({"frobnicate"}).err, HasSubstr("there is: run, resume, ls, show, "));
}

TEST_F(Cli, UnknownOptionNamesTheNearestOne) {
  EXPECT_EQ(stepwell({"--verison"}).err, "stepwell: no option '--verison'; did you mean '--version'?\n");
  EXPECT_EQ(stepwell({"--frobnicate"}).err, "stepwell: no option '--frobnicate' (see stepwell --help)\n");
}

TEST_F(Cli, HelpOfACommandMayBeAskedForInEitherOrder) {
  EXPECT_EQ(stepwell({"help", "eval"}).out, stepwell({"eval", "--help"}).out);
  EXPECT_EQ(stepwell({"help", "value", "hash"}).out, stepwell({"value", "hash", "--help"}).out);
  EXPECT_EQ(stepwell({"help", "evla"}).err, "stepwell: no command 'evla'; did you mean 'eval'?\n");
}

TEST_F(Cli, GlobalFlagsStandAnywhere) {
  EXPECT_EQ(stepwell({"--quiet", "--version"}).code, ExitCode::ok);
  EXPECT_EQ(stepwell({"--version", "--json", "--verbose"}).code, ExitCode::ok);
}

TEST_F(Cli, ColoursOnlyATerminalThatWantsThem) {
  EXPECT_THAT(stepwell({"evla"}, true).err, HasSubstr("\033[31m"));
  EXPECT_THAT(stepwell({"evla", "--no-color"}, true).err, testing::StartsWith("stepwell:"));
}

TEST_F(Cli, EveryCommandHasHelpWithAnExample) {
  for (const char* name : {"validate", "canonical", "eval", "value"}) {
    const Ran ran = stepwell({name, "--help"});
    EXPECT_EQ(ran.code, ExitCode::ok) << name;
    EXPECT_THAT(ran.out, HasSubstr("\nexample:\n  stepwell ")) << name;
  }
}

TEST_F(Cli, OutputThatCannotBeWrittenIsAFailure) {
  std::istringstream in;
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(run({"--version"}, {in, out, err}), ExitCode::internal);
  EXPECT_THAT(err.str(), HasSubstr("cannot write to standard output"));
}

}  // namespace
}  // namespace stepwell::cli
