#include "stepwell/cli/options.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;

class OptionsTest : public testing::Test {
 protected:
  std::optional<ExitCode> parse(std::vector<std::string> arguments) {
    call_.arguments = std::move(arguments);
    Options options(kCommand);
    options.argument("EXPR", expression_, "the expression");
    options.argument("FILE", file_, "where from");
    options.option("--with", "JSON", with_, "what its names mean");
    options.flag("--batch", batch_, "many at once");
    return options.parse(call_);
  }

  static constexpr Command kCommand = {"try", "tries things", "stepwell try 1", nullptr};
  std::string expression_;
  std::optional<std::string> file_, with_;
  bool batch_ = false;
  std::istringstream in_;
  std::ostringstream out_, err_;
  Call call_{.program = "stepwell try", .arguments = {}, .flags = {}, .in = in_, .out = out_, .err = err_};
};

TEST_F(OptionsTest, FillsTargetsInAnyOrder) {
  EXPECT_EQ(parse({"--with", "{}", "1 + 1", "--batch"}), std::nullopt);
  EXPECT_EQ(expression_, "1 + 1");
  EXPECT_EQ(with_, "{}");
  EXPECT_EQ(file_, std::nullopt);
  EXPECT_TRUE(batch_);
}

TEST_F(OptionsTest, TextsArriveUntouched) {
  for (const char* text : {"{}", "[1,2]", "[]", "-5", "--x", "", " a ", "%%", "\"q\"", "a,b"}) {
    EXPECT_EQ(parse({"1", "--with", text}), std::nullopt) << text << ": " << err_.str();
    EXPECT_EQ(with_, text);
  }
  for (const char* text : {"{}", "[1,2]", "", "a,b", "{{ -x }}"}) {
    EXPECT_EQ(parse({text}), std::nullopt) << text << ": " << err_.str();
    EXPECT_EQ(expression_, text);
  }
  EXPECT_EQ(parse({"1", "--with={\"a\": 1}"}), std::nullopt);
  EXPECT_EQ(with_, "{\"a\": 1}");
}

TEST_F(OptionsTest, AfterTwoDashesNothingIsAnOption) {
  EXPECT_EQ(parse({"--", "--batch", "--help"}), std::nullopt);
  EXPECT_EQ(expression_, "--batch");
  EXPECT_EQ(file_, "--help");
  EXPECT_FALSE(batch_);
}

TEST_F(OptionsTest, HelpShowsEverythingAndAnExample) {
  EXPECT_EQ(parse({"--help"}), ExitCode::ok);
  EXPECT_EQ(out_.str(), R"(stepwell try: tries things

usage: stepwell try EXPR [FILE] [OPTIONS]

arguments:
  EXPR         the expression
  [FILE]       where from

options:
  --with JSON  what its names mean
  --batch      many at once

example:
  stepwell try 1

Every command also takes --store DIR|memory, --json, --quiet, --verbose and --no-color, anywhere on its line.
)");
}

TEST_F(OptionsTest, SaysWhatIsMissing) {
  EXPECT_EQ(parse({"--batch"}), ExitCode::usage);
  EXPECT_EQ(err_.str(), "stepwell try: EXPR is missing (see stepwell try --help)\n");
}

TEST_F(OptionsTest, SaysWhichOptionWasMeant) {
  EXPECT_EQ(parse({"1", "--wiht={}"}), ExitCode::usage);
  EXPECT_THAT(err_.str(), HasSubstr("no option '--wiht'; did you mean '--with'?"));
}

TEST_F(OptionsTest, SaysHowToPassTextThatLooksLikeAnOption) {
  EXPECT_EQ(parse({"-1 + x"}), std::nullopt);
  EXPECT_EQ(expression_, "-1 + x");
  EXPECT_EQ(parse({"-x + 2"}), ExitCode::usage);
  EXPECT_THAT(err_.str(), HasSubstr("put -- before it"));
}

TEST_F(OptionsTest, RefusesTooManyArgumentsAndOptionsWithoutText) {
  EXPECT_EQ(parse({"1", "a", "b"}), ExitCode::usage);
  EXPECT_THAT(err_.str(), HasSubstr("unexpected argument 'b'"));
  EXPECT_EQ(parse({"1", "--with"}), ExitCode::usage);
  EXPECT_THAT(err_.str(), HasSubstr("--with needs what it is named for: --with JSON (see"));
  EXPECT_EQ(parse({"1", "--with", "1", "--with", "2"}), ExitCode::usage);
  EXPECT_THAT(err_.str(), HasSubstr("--with is given more than once (see"));
}

}  // namespace
}  // namespace stepwell::cli
