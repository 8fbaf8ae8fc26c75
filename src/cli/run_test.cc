#include <gmock/gmock.h>

#include "stepwell/cli/testing/store_test.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class RunTest : public StoreCommandTest {
 protected:
  // A playbook of one step, which ends the execution.
  std::string ends(const std::string& name, const std::string& rest) {
    return file(name + ".yaml", "metadata: {name: " + name + "}\n" + rest);
  }
};

TEST_F(RunTest, PrintsTheOutputAndNothingElseOnTheStandardOutput) {
  const std::string path = ends("sum", "workflow: [{step: a}]\noutput: {sum: '{{ workload.a + workload.b }}'}\n");
  const Ran ran = stepwell({"run", path, "-i", "a=1", "-i", "b=2"});
  EXPECT_EQ(ran.code, ExitCode::ok) << ran.err;
  EXPECT_EQ(ran.out, "{\n  \"sum\": 3\n}\n");
  EXPECT_THAT(ran.err, HasSubstr("workflow_completed"));
}

TEST_F(RunTest, QuietIsSilentButForTheOutput) {
  const Ran ran = stepwell({"run", ends("none", "workflow: [{step: a}]\n"), "--quiet"});
  EXPECT_EQ(ran.out, "null\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(RunTest, ValuesAreJsonIfTheyReadAsSuchElseText) {
  const std::string path = ends("echo", "workflow: [{step: a}]\noutput: '{{ workload }}'\n");
  const Ran ran = stepwell({"run", path, "--input", file("in.json", R"({"a": 0, "c": null})"), "-i", "a=[1, 2]", "-i",
                            "b=two words", "-i", "d=x=y"});
  EXPECT_EQ(to_json(parse_json(ran.out).value()), R"({"a":[1,2],"b":"two words","c":null,"d":"x=y"})") << ran.err;
}

TEST_F(RunTest, ExitCodesTellTheEnd) {
  const std::string terminated =
      "workflow: [{step: stop, type: terminate, status: STATUS, reason: enough, output_template: '{\"a\": 1}'}]\n";
  const auto with = [&](const std::string& status) {
    std::string text = terminated;
    return text.replace(text.find("STATUS"), 6, status);
  };
  const Ran failed = stepwell({"run", ends("failed", with("failed"))});
  EXPECT_EQ(failed.code, ExitCode::failed);
  EXPECT_EQ(failed.out, "{\n  \"a\": 1\n}\n");
  EXPECT_THAT(failed.err, HasSubstr("terminated at 'stop': enough\n"));
  EXPECT_EQ(stepwell({"run", ends("success", with("success"))}).code, ExitCode::ok);
  const Ran unhandled = stepwell({"run", ends("broken", "workflow: [{step: a, set: {ctx.x: '{{ ctx.none }}'}}]\n")});
  EXPECT_EQ(unhandled.code, ExitCode::failed);
  EXPECT_EQ(unhandled.out, "");
  EXPECT_THAT(unhandled.err, HasSubstr("stepwell run: failed at 'a': "));
}

TEST_F(RunTest, WhatIsWrongIsFoundBeforeAStoreIsMade) {
  const Ran invalid = stepwell({"run", ends("bad", "workflow: [{step: a, next: b}]\n")});
  EXPECT_EQ(invalid.code, ExitCode::usage);
  EXPECT_THAT(invalid.err, HasSubstr("which is no step"));
  EXPECT_EQ(stepwell({"run", "nothere.yaml"}).code, ExitCode::usage);
  EXPECT_EQ(stepwell({"run", waits_for_signal(), "-i", "novalue"}).code, ExitCode::usage);
  EXPECT_EQ(stepwell({"run", waits_for_signal(), "--wait", "--no-wait"}).code, ExitCode::usage);
  EXPECT_FALSE(std::filesystem::exists(folder() + "/store"));
}

TEST_F(RunTest, AWorkloadThatDoesNotFitIsAMistakeOfTheCaller) {
  const std::string path = ends("strict", "schema: {workload: {type: object, required: [n]}}\nworkflow: [{step: a}]\n");
  const Ran ran = stepwell({"run", path});
  EXPECT_EQ(ran.code, ExitCode::usage);
  EXPECT_THAT(ran.err, HasSubstr("the workload does not fit its schema"));
}

TEST_F(RunTest, WhatOnlyOthersCanMoveIsLeftWaitingAndResumed) {
  const Ran left = stepwell({"run", waits_for_signal(), "--id", "e1"});
  EXPECT_EQ(left.code, ExitCode::waiting);
  EXPECT_EQ(left.out, "");
  EXPECT_THAT(left.err, HasSubstr("'paid' waits for the signal 'paid'; `stepwell signal e1 paid JSON`\n"));
  EXPECT_THAT(left.err, HasSubstr("`stepwell resume e1`"));
  EXPECT_EQ(stepwell({"resume", "e1"}).code, ExitCode::waiting);
  EXPECT_EQ(stepwell({"signal", "e1", "paid", "17"}).out, "e1 is at version 2\n");
  const Ran resumed = stepwell({"resume", "e1"});
  EXPECT_EQ(resumed.code, ExitCode::ok);
  EXPECT_EQ(to_json(parse_json(resumed.out).value()), R"({"n":1,"paid":17})");
  EXPECT_EQ(resumed.err, "") << "it had happened before";
}

TEST_F(RunTest, ACancelledOneIsFive) {
  stepwell({"run", waits_for_signal(), "--id", "e1"});
  EXPECT_EQ(stepwell({"cancel", "e1", "--reason", "twice"}).code, ExitCode::ok);
  const Ran ran = stepwell({"resume", "e1"});
  EXPECT_EQ(ran.code, ExitCode::cancelled);
  EXPECT_EQ(ran.err, "stepwell resume: cancelled: twice\n");
  EXPECT_EQ(stepwell({"cancel", "e1"}).code, ExitCode::failed);
}

TEST_F(RunTest, TheSameStartUnderTheSameIdIsTheSameExecution) {
  const std::string path = ends("once", "workflow: [{step: a}]\noutput: '{{ workload.n }}'\n");
  EXPECT_EQ(stepwell({"run", path, "--id", "e1", "-i", "n=1"}).out, "1\n");
  EXPECT_EQ(stepwell({"run", path, "--id", "e1", "-i", "n=1"}).out, "1\n");
  const Ran other = stepwell({"run", path, "--id", "e1", "-i", "n=2"});
  EXPECT_EQ(other.code, ExitCode::usage);
  EXPECT_THAT(other.err, HasSubstr("'e1' was started before, as something else"));
}

TEST_F(RunTest, ARegisteredPlaybookRunsByNameAndVersion) {
  stepwell({"register", ends("greet", "workflow: [{step: a}]\noutput: first\n")});
  stepwell({"register", ends("greet", "workflow: [{step: a}]\noutput: second\n")});
  EXPECT_EQ(stepwell({"run", "greet"}).out, "\"second\"\n");
  EXPECT_EQ(stepwell({"run", "greet@1"}).out, "\"first\"\n");
  EXPECT_THAT(stepwell({"run", "gret"}).err, HasSubstr("did you mean 'greet'"));
  EXPECT_THAT(stepwell({"playbooks", "greet"}).out, HasSubstr("greet  2        Playbook"));
}

TEST_F(RunTest, EventsAreLinesOfJson) {
  const std::string path = ends("two", "workflow: [{step: a, next: b}, {step: b}]\noutput: 1\n");
  EXPECT_EQ(stepwell({"run", path, "--id", "e1", "--events", folder() + "/events"}).out, "1\n");
  const Ran to_output = stepwell({"run", path, "--id", "e1", "--events", "-", "--quiet"});
  std::ifstream written(folder() + "/events");
  const std::string text((std::istreambuf_iterator<char>(written)), {});
  EXPECT_EQ(to_output.out, text);
  std::istringstream in(text);
  std::int64_t seq = 0;
  for (std::string line; std::getline(in, line);) {
    const auto event = parse_json(line);
    ASSERT_TRUE(event) << line;
    EXPECT_EQ(event->find("seq")->as_int(), ++seq);
    EXPECT_EQ(event->find("execution")->as_text(), "e1");
  }
  EXPECT_GT(seq, 6);
  EXPECT_EQ(stepwell({"run", path, "--events", folder() + "/no/such/folder"}).code, ExitCode::usage);
}

TEST_F(RunTest, ATerminalSeesALiveView) {
  const Ran ran = stepwell({"run", waits_for_signal(), "--id", "e1", "--no-wait"}, true);
  EXPECT_EQ(ran.code, ExitCode::waiting);
  EXPECT_THAT(ran.err, StartsWith("\033[?25l"));
  EXPECT_THAT(ran.err, HasSubstr("> paid"));
  EXPECT_THAT(ran.err, HasSubstr("\033[?25h"));
  EXPECT_THAT(ran.err, Not(HasSubstr("step_started")));
}

TEST_F(RunTest, AStoreInMemoryLeavesNothingBehind) {
  const Ran ran = run_line({"run", ends("m", "workflow: [{step: a}]\noutput: 1\n"), "--store", "memory"}, {});
  EXPECT_EQ(ran.code, ExitCode::ok) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder() + "/store"));
  EXPECT_THAT(run_line({"ls", "--store", "postgres://x"}, {}).err, HasSubstr("is no store of this version"));
}

}  // namespace
}  // namespace stepwell::cli
