#include "stepwell/tools/shell.h"

#include <cstdlib>
#include <fstream>
#include <random>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/model/shell_text.h"
#include "stepwell/tools/testing/temp_directory.h"
#include "stepwell/tools/testing/tool_test.h"

namespace stepwell {
namespace {

using Shell = testing::ToolTest<ShellTool>;

TEST_F(Shell, RunsATextByTheShellAndAListAsItIs) {
  EXPECT_EQ(answer(R"({"cmd": "echo a b | tr a-z A-Z"})"), R"({"stderr":"","stdout":"A B\n","exit_code":0})");
  EXPECT_EQ(answer(R"({"cmd": ["printf", "<%s>", "a b", "$HOME", 1]})"),
            R"({"stderr":"","stdout":"<a b><$HOME><1>","exit_code":0})");
}

TEST_F(Shell, ReadsOutputThatIsJson) {
  EXPECT_EQ(answer(R"({"cmd": "echo '{\"rows\": 3}'"})"),
            R"({"json":{"rows":3},"stderr":"","stdout":"{\"rows\": 3}\n","exit_code":0})");
}

TEST_F(Shell, ACodeOtherThanZeroIsAnErrorWithAllThatIsKnown) {
  const TaskOutcome outcome = run(R"({"cmd": "echo partly; echo no such row >&2; exit 3"})");
  EXPECT_EQ(told(outcome), "transport exit_3: the command ended with exit code 3: no such row");
  EXPECT_EQ(to_json(*outcome.error.find("details")), R"({"stderr":"no such row\n","stdout":"partly\n","exit_code":3})");
  EXPECT_EQ(*outcome.error.find("retryable"), Value(false));
  EXPECT_EQ(to_json(outcome.exit), R"({"code":3})");
}

TEST_F(Shell, ASignalIsToldAsShellsTellIt) {
  EXPECT_EQ(answer(R"({"cmd": "kill -9 $$"})"), "transport exit_137: the command was ended by signal 9 (Killed)");
}

TEST_F(Shell, GetsInputDirectoryAndItsOwnEnvironmentOnly) {
  setenv("STEPWELL_TEST_OUTSIDE", "seen", 1);
  const TaskOutcome outcome = run(
      R"({"cmd": "cat; pwd; echo $A-$STEPWELL_TEST_OUTSIDE-$STEPWELL_IDEMPOTENCY_KEY; env | cut -d= -f1 | sort | tr '\n' ' '",
          "stdin": "read me\n", "cwd": "/usr", "env": {"A": 5}})");
  unsetenv("STEPWELL_TEST_OUTSIDE");
  const std::string output(outcome.result.find("stdout")->as_text());
  EXPECT_TRUE(output.starts_with("read me\n/usr\n5--key-1\n")) << output;
  EXPECT_FALSE(output.contains("OUTSIDE")) << output;
  EXPECT_TRUE(output.contains(" PATH ")) << output;
}

TEST_F(Shell, SaysWhatCouldNotBeStarted) {
  EXPECT_EQ(answer(R"({"cmd": ["stepwell-no-such-program"]})"),
            "transport tool: there is no program 'stepwell-no-such-program' in PATH");
  EXPECT_EQ(answer(R"({"cmd": "true", "cwd": "/no/such"})"), "transport tool: there is no directory '/no/such'");
  EXPECT_EQ(answer(R"({"cmd": 5})"), "expression type: 'cmd' of tool must be text or a list of texts, not integer");
  EXPECT_EQ(answer(R"({"cmd": "true", "timeout": "soon"})"),
            "expression type: 'timeout' of tool must be a duration like 30s, more than none, not text");
}

TEST_F(Shell, OutputThatIsNoTextIsMadeOne) {
  EXPECT_EQ(testing::at(run(R"({"cmd": "printf 'a\\377b'"})").result, "stdout"), Value("a\uFFFDb"));
}

TEST_F(Shell, WhoWritesTooMuchIsEnded) {
  call_.result_bytes = 1000;
  EXPECT_EQ(answer(R"({"cmd": "yes"})"), "transport size: what '/bin/sh' writes is larger than 1000 bytes");
}

TEST_F(Shell, ShowsWhatItWritesWhileItRuns) {
  std::string seen;
  call_.progress = [&](std::string_view bytes) { seen += bytes; };
  run(R"({"cmd": "echo one; echo two >&2"})");
  EXPECT_TRUE(seen.contains("one\n") && seen.contains("two\n")) << seen;
}

// A directory in which a command leaves its process id.
class ShellProcess : public Shell {
 protected:
  Value command(std::string_view text) {
    return Value::map({{"cmd", Value(text)}, {"cwd", Value(directory_.path())}, {"timeout", "10m"}});
  }
  bool is_alive(const std::string& file) {
    pid_t pid = 0;
    std::ifstream(directory_.file(file)) >> pid;
    EXPECT_GT(pid, 0) << file;
    // What was killed may take a moment until it is gone.
    for (int i = 0; i < 500; ++i) {
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      std::string number;
      std::string name;
      std::string state;
      if (!(stat >> number >> name >> state) || state == "Z") return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  testing::TempDirectory directory_;
};

TEST_F(ShellProcess, IsKilledWithItsGroupWhenItsTimeIsOver) {
  const TaskOutcome outcome = run(Value::map(
      {{"cmd", "sleep 600 & echo $! > child; wait"}, {"cwd", Value(directory_.path())}, {"timeout", "200ms"}}));
  EXPECT_EQ(told(outcome), "timeout timeout: '/bin/sh' did not end in time and was killed");
  EXPECT_EQ(*outcome.error.find("retryable"), Value(true));
  EXPECT_FALSE(is_alive("child"));
}

TEST_F(ShellProcess, IsKilledWhenTheAttemptsTimeIsOver) {
  deadline_in(std::chrono::milliseconds(100));
  EXPECT_EQ(told(run(command("sleep 600"))), "timeout timeout: '/bin/sh' did not end in time and was killed");
}

TEST_F(ShellProcess, IsKilledWhenNobodyWaitsForItEvenIfItDoesNotWantToEnd) {
  const TaskOutcome outcome = run_and_cancel(
      command("trap '' TERM; (trap '' TERM; sleep 600) & echo $! > child; echo up; while :; do sleep 1; done"));
  EXPECT_EQ(told(outcome), "transport cancelled: nobody waits for this any more");
  EXPECT_FALSE(is_alive("child"));
}

TEST_F(ShellProcess, MayEndOrderlyWhenItIsAskedTo) {
  run_and_cancel(command("trap 'echo bye > last; exit' TERM; echo up; while :; do sleep 0.01; done"));
  std::string last;
  std::ifstream(directory_.file("last")) >> last;
  EXPECT_EQ(last, "bye");
}

TEST_F(ShellProcess, WhatItLeavesBehindIsKilledAndNotWaitedFor) {
  EXPECT_EQ(told(run(command("sleep 600 & echo $! > child; echo done"))),
            R"({"stderr":"","stdout":"done\n","exit_code":0})");
  EXPECT_FALSE(is_alive("child"));
}

TEST_F(Shell, SecretsDoNotShow) {
  secrets_.known["key"] = "hunter2-\"x\"";
  used_.find("key");
  const TaskOutcome outcome = run(R"({"cmd": "echo 'hunter2-\"x\"'; echo aHVudGVyMi0ieCI= >&2; exit 1"})");
  const std::string all = to_json(outcome.error) + to_json(outcome.exit);
  EXPECT_FALSE(all.contains("hunter2")) << all;
  EXPECT_FALSE(all.contains("aHVudGVyMi0ieCI=")) << all;
  EXPECT_TRUE(all.contains("***")) << all;
}

// Whatever a value holds and wherever it stands, a real shell takes it as data.
TEST_F(Shell, NoValueIsEverReadAsCode) {
  const std::uint64_t seed =
      std::getenv("STEPWELL_SEED") != nullptr ? std::stoull(std::getenv("STEPWELL_SEED")) : 20'261;
  SCOPED_TRACE("STEPWELL_SEED=" + std::to_string(seed));
  std::mt19937_64 dice(seed);
  constexpr std::string_view kPieces[] = {"'",   "\"", "`id`", "$(id)", "\\", "$x", " ", "\n", "; id",  "&",
                                          "|id", "#",  "*",    "~",     "!",  "a",  "é", "-e", "{a,b}", ">f"};
  constexpr const char* kCommands[] = {"printf '[%s]' {{ x }}", "printf '[%s]' \"{{ x }}\"", "printf '[%s]' '{{ x }}'",
                                       "y=$(printf a); printf '[%s]' {{ x }}", "printf '[%s]' ''{{ x }}\"\""};
  for (int i = 0; i < 60; ++i) {
    std::string x;
    for (std::uint64_t n = dice() % 6; n > 0; --n) x += kPieces[dice() % std::size(kPieces)];
    const auto program = compile_template(kCommands[dice() % std::size(kCommands)]);
    ShellText shell;
    Ambient ambient;
    ambient.quoter = &shell;
    const Value inputs = Value::map({{"x", Value(x)}});
    const auto command = evaluate(*program, inputs_from(*program, inputs), ambient);
    ASSERT_TRUE(command) << command.error().message << " for " << x;
    const TaskOutcome outcome = run(Value::map({{"cmd", *command}}));
    ASSERT_TRUE(outcome.ok) << told(outcome) << " of " << command->as_text();
    EXPECT_EQ(outcome.result.find("stdout")->as_text(), "[" + x + "]") << command->as_text();
  }
}

}  // namespace
}  // namespace stepwell
