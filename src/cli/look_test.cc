#include <gmock/gmock.h>

#include "stepwell/cli/testing/store_test.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// One execution that waits.
class LookTest : public StoreCommandTest {
 protected:
  LookTest() { stepwell({"run", waits_for_signal(), "--id", "e1", "-i", "n=5"}); }

  Value json(const std::vector<std::string>& line) {
    std::vector<std::string> with_flag = line;
    with_flag.emplace_back("--json");
    const Ran ran = stepwell(with_flag);
    const auto value = parse_json(ran.out);
    EXPECT_TRUE(value) << ran.out << ran.err;
    return value.value_or(Value());
  }
};

TEST_F(LookTest, ListsAreTablesOrJson) {
  EXPECT_THAT(stepwell({"ls"}).out, StartsWith("EXECUTION  PLAYBOOK  STATUS"));
  EXPECT_THAT(stepwell({"ls"}).out, HasSubstr("e1         wait      waiting"));
  const Value rows = json({"ls", "--status", "waiting"});
  ASSERT_EQ(rows.as_list().size(), 1);
  EXPECT_EQ(rows.as_list()[0].find("wait")->as_text(), "signal");
  EXPECT_EQ(json({"ls", "--status", "failed", "--status", "completed"}), Value::list({}));
  EXPECT_EQ(stepwell({"ls", "--limit", "none"}).code, ExitCode::usage);
}

TEST_F(LookTest, ShowSaysWhatItWaitsForAndHowToMoveIt) {
  const Ran ran = stepwell({"show", "e"});
  EXPECT_THAT(ran.out, HasSubstr("ctx         {\"n\":5}\n"));
  EXPECT_THAT(ran.out, HasSubstr("`stepwell signal e1 paid JSON`"));
  const Value view = json({"show", "e1"});
  const Value& token = view.find("tokens")->as_list()[0];
  EXPECT_EQ(token.find("run")->as_text(), "paid#1");
  EXPECT_EQ(stepwell({"show", "other"}).code, ExitCode::usage);
}

TEST_F(LookTest, TimeTravel) {
  stepwell({"patch", "e1", R"({"n": 6})"});
  const Value first = json({"state", "e1", "--at", "1"});
  EXPECT_EQ(to_json(*first.find("ctx")), R"({"n":5})");
  EXPECT_THAT(stepwell({"state", "e1"}).out, HasSubstr("\"n\": 6"));
  EXPECT_THAT(stepwell({"diff", "e1", "1", "2"}).out, HasSubstr("- ctx.n: 5\n+ ctx.n: 6\n"));
  EXPECT_THAT(stepwell({"diff", "e1", "1"}).out, HasSubstr("+ ctx.n: 6\n"));
  EXPECT_EQ(stepwell({"state", "e1", "--at", "zero"}).code, ExitCode::usage);
  EXPECT_THAT(stepwell({"state", "e1", "--at", "9"}).err, HasSubstr("has versions 1 to 2"));
}

TEST_F(LookTest, EventsFromANumberOn) {
  EXPECT_THAT(stepwell({"events", "e1"}).out, HasSubstr("workflow_started"));
  const Ran late = stepwell({"events", "e1", "--after", "3", "--json"});
  EXPECT_THAT(late.out, HasSubstr("\"seq\":4"));
  EXPECT_THAT(stepwell({"events", "e1", "--follow"}).err, HasSubstr("nobody drives the store"));
}

TEST_F(LookTest, CommandsCanBeRepeatedAndBoundToAVersion) {
  EXPECT_EQ(stepwell({"patch", "e1", "{}", "--expected-version", "7"}).code, ExitCode::failed);
  EXPECT_EQ(stepwell({"patch", "e1", "{}", "--command-id", "c1"}).out, "e1 is at version 2\n");
  EXPECT_EQ(stepwell({"patch", "e1", "{}", "--command-id", "c1"}).out, "e1 had this command before\n");
  EXPECT_THAT(stepwell({"patch", "e1", "{x"}).err, HasSubstr("the patch must be JSON"));
  EXPECT_THAT(stepwell({"signal", "e1", "other"}).err, HasSubstr("no step of 'wait' waits for a signal 'other'"));
}

TEST_F(LookTest, SuspendedItSaysHowToGoOn) {
  EXPECT_EQ(stepwell({"suspend", "e1", "--reason", "lunch"}).code, ExitCode::ok);
  EXPECT_THAT(stepwell({"show", "e1"}).out, HasSubstr("`stepwell unsuspend e1`"));
  EXPECT_EQ(stepwell({"unsuspend", "e1"}).code, ExitCode::ok);
  EXPECT_EQ(stepwell({"unsuspend", "e1"}).code, ExitCode::failed);
  EXPECT_EQ(stepwell({"retry", "e1"}).code, ExitCode::usage);
}

TEST_F(LookTest, AParkedFailureIsSkipped) {
  const std::string path = file("park.yaml",
                                "metadata: {name: park}\nexecutor: {spec: {on_failure: suspend}}\n"
                                "workflow: [{step: a, set: {ctx.x: '{{ ctx.none }}'}}]\noutput: done\n");
  const Ran left = stepwell({"run", path, "--id", "p1"});
  EXPECT_EQ(left.code, ExitCode::waiting);
  EXPECT_THAT(left.err, HasSubstr("`stepwell retry p1 a#1`"));
  EXPECT_EQ(stepwell({"retry", "p1", "a"}).code, ExitCode::ok);
  EXPECT_EQ(stepwell({"resume", "p1"}).code, ExitCode::waiting);
  EXPECT_EQ(stepwell({"skip", "p1", "a", "--output", "{}"}).code, ExitCode::ok);
}

TEST_F(LookTest, TheStoreIsVerifiedReplayedRebuiltAndCopied) {
  EXPECT_EQ(stepwell({"verify"}).out, "nothing was altered, cut out or damaged\n");
  EXPECT_THAT(stepwell({"replay", "--verify"}).out, StartsWith("1 executions, 1 commands, "));
  EXPECT_EQ(stepwell({"rebuild"}).out, "1 executions rebuilt from their records\n");
  EXPECT_EQ(stepwell({"gc"}).out, "0 blobs deleted, 0 bytes\n");
  const std::string before = stepwell({"ls"}).out;
  EXPECT_EQ(stepwell({"backup", folder() + "/copy"}).code, ExitCode::ok);
  EXPECT_EQ(run_line({"ls", "--store", folder() + "/copy"}, {}).out, before);
  EXPECT_NE(stepwell({"backup", folder() + "/copy"}).code, ExitCode::ok);
}

TEST_F(LookTest, NoStoreIsMadeByLooking) {
  const Ran ran = run_line({"ls", "--store", folder() + "/none"}, {});
  EXPECT_NE(ran.code, ExitCode::ok);
  EXPECT_THAT(ran.err, HasSubstr(folder() + "/none"));
  EXPECT_FALSE(std::filesystem::exists(folder() + "/none"));
}

TEST_F(LookTest, TheDoctorLooksAtTheStoreAndTheMachine) {
  const Ran ran = stepwell({"doctor"});
  EXPECT_THAT(ran.out, HasSubstr(folder() + "/store (--store)"));
  EXPECT_THAT(ran.out, HasSubstr("nobody else holds the store"));
  const Value findings = json({"doctor"});
  EXPECT_GT(findings.as_list().size(), 5);
  EXPECT_EQ(findings.as_list()[0].find("verdict")->as_text(), "ok");
}

}  // namespace
}  // namespace stepwell::cli
