#include "stepwell/model/shell_text.h"

#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"

namespace stepwell {
namespace {

// A command with a value for x, or why there is none.
std::string command(std::string_view source, const Value& x) {
  const auto program = compile_template(source);
  EXPECT_TRUE(program) << source;
  ShellText shell;
  Ambient ambient;
  ambient.quoter = &shell;
  const Value inputs = Value::map({{"x", x}});
  const auto text = evaluate(*program, inputs_from(*program, inputs), ambient);
  return text ? std::string(text->as_text()) : "refused: " + text.error().message;
}

TEST(ShellText, QuotesAValueAsOneWord) {
  EXPECT_EQ(command("echo {{ x }}!", "a b"), "echo 'a b'!");
  EXPECT_EQ(command("echo {{ x }}!", "it's; rm -rf /"), R"(echo 'it'\''s; rm -rf /'!)");
  EXPECT_EQ(command("echo {{ x }}!", ""), "echo ''!");
}

TEST(ShellText, QuotesWhatWouldMeanSomethingBare) {
  EXPECT_EQ(command("{{ x }} ls", "PATH=here"), "'PATH=here' ls");
  EXPECT_EQ(command("echo {{ x }}>file", 2), "echo '2'>file");
}

TEST(ShellText, KnowsTheQuotesAroundAValue) {
  EXPECT_EQ(command(R"(echo "<{{ x }}>" {{ x }})", R"($(id) `id` "\)"),
            R"(echo "<\$(id) \`id\` \"\\>" '$(id) `id` "\')");
  EXPECT_EQ(command(R"(echo '<{{ x }}>')", "it's"), R"(echo '<it'\''s>')");
  EXPECT_EQ(command(R"(echo "\"{{ x }}" \" {{ x }})", "$a"), R"(echo "\"\$a" \" '$a')");
  EXPECT_EQ(command(R"(echo "${HOME}/{{ x }}" $# {{ x }})", "$a"), R"(echo "${HOME}/\$a" $# '$a')");
  EXPECT_EQ(command("echo $(cat {{ x }})", "a b"), "echo $(cat 'a b')");
}

TEST(ShellText, LeavesTheRestOfATemplateAlone) {
  EXPECT_EQ(command("{% if x %}echo 'a' | cat{% endif %}", 1), "echo 'a' | cat");
  EXPECT_EQ(command("{% set y %}<{{ x }}>{% endset %}echo {{ y }}", "a b"), "echo '<a b>'");
  EXPECT_EQ(command("{% for i in x %}{{ i }} {% endfor %}", Value::list({"a b", 1})), "'a b' '1' ");
}

class UnclearPlace : public ::testing::TestWithParam<const char*> {};

TEST_P(UnclearPlace, TakesOnlyWhatNoShellCouldMisread) {
  EXPECT_FALSE(command(GetParam(), "a-1.txt").starts_with("refused"));
  EXPECT_EQ(command(GetParam(), "a\nid"),
            "refused: this value cannot be quoted in this place of a command; hand it over in 'env'");
  EXPECT_TRUE(command(GetParam(), "$(id)").starts_with("refused"));
}

constexpr const char* kUnclearPlaces[] = {
    "ls # {{ x }}",
    "cat <<E\n{{ x }}\nE\n",
    "echo `echo {{ x }}`",
    "echo $(( {{ x }} ))",
    "echo \"$(echo {{ x }})\"",
    "echo \"${a:-{{ x }}}\"",
    "echo \"`echo {{ x }}`\"",
    "[[ {{ x }} -eq 1 ]]",
    "(( {{ x }} ))",
    "echo $[ {{ x }} ]",
    "echo $'{{ x }}'",
    "echo \"$\\\n({{ x }})\"",
};
INSTANTIATE_TEST_SUITE_P(All, UnclearPlace, ::testing::ValuesIn(kUnclearPlaces));

TEST(ShellText, RefusesAValueBehindABackslashOrDollarAndANul) {
  EXPECT_TRUE(command(R"(echo \{{ x }})", "a").starts_with("refused: a value cannot stand right behind"));
  EXPECT_TRUE(command("echo ${{ x }}", "a").starts_with("refused: a value cannot stand right behind"));
  EXPECT_TRUE(command("echo \"${{ x }}\"", "a").starts_with("refused"));
  EXPECT_EQ(command("echo {{ x }}", std::string_view("\0", 1)), "refused: a command cannot hold the character U+0000");
}

TEST(ShellText, ACommentEndsWithItsLine) {
  EXPECT_EQ(command("# don't\necho {{ x }} a#b {{ x }}", "a b"), "# don't\necho 'a b' a#b 'a b'");
}

}  // namespace
}  // namespace stepwell
