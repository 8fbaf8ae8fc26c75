#include "stepwell/cli/live_view.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/event_line.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Instant at(std::string_view text) { return Instant::parse(text).value(); }

class LiveModelTest : public ::testing::Test {
 protected:
  LiveModelTest() {
    hear(R"({"type": "workflow_started", "ts": "2026-01-02T12:00:00Z", "execution": "e1", "playbook": "order"})");
  }
  void hear(std::string_view event) { model_.hear(parse_json(event).value()); }
  void step(std::string_view type, std::string_view name, std::string_view more = "") {
    hear(R"({"type": ")" + std::string(type) + R"(", "step": ")" + std::string(name) + R"(", "run": ")" +
         std::string(name) + R"(#1")" + std::string(more) + "}");
  }
  std::vector<std::string> lines(std::size_t width = 80, std::size_t most = 20) {
    return model_.lines(at("2026-01-02T12:01:05Z"), width, most);
  }

  LiveModel model_;
};

TEST_F(LiveModelTest, TheHeadSaysWhatAndHowLong) {
  EXPECT_THAT(lines(), ElementsAre("order  e1  running  1:05"));
  hear(R"({"type": "workflow_completed", "ts": "2026-01-02T12:00:03Z"})");
  EXPECT_THAT(lines(), ElementsAre("order  e1  completed  0:03"));
}

TEST_F(LiveModelTest, StepsHaveTheirStateInTheOrderInWhichTheyBegan) {
  step("step_started", "fetch");
  step("step_done", "fetch");
  step("step_started", "pay");
  step("step_failed", "pay", R"(, "error": {"message": "no money"})");
  step("step_started", "tell");
  EXPECT_THAT(lines(), ElementsAre(HasSubstr("order"), HasSubstr("+ fetch"), HasSubstr("x pay"), HasSubstr("> tell")));
  EXPECT_THAT(lines()[2], HasSubstr("no money"));
}

TEST_F(LiveModelTest, ATimerCountsDownAndANextAttemptIsAnnounced) {
  step("step_started", "rest");
  step("timer_started", "rest", R"(, "at": "2026-01-02T12:02:00Z")");
  EXPECT_THAT(lines()[1], HasSubstr("~ rest"));
  EXPECT_THAT(lines()[1], HasSubstr("in 0:55"));
  step("step_started", "call");
  step("attempt_started", "call", R"(, "attempt": 1)");
  step("step_retry_scheduled", "call", R"(, "at": "2026-01-02T12:01:10Z", "error": {"message": "no answer"})");
  EXPECT_THAT(lines()[2], HasSubstr("in 0:05  no answer"));
  step("attempt_started", "call", R"(, "attempt": 2)");
  EXPECT_THAT(lines()[2], HasSubstr("> call"));
  EXPECT_THAT(lines()[2], HasSubstr("attempt 2"));
}

TEST_F(LiveModelTest, BranchesAreProgress) {
  hear(R"({"type": "fanout_opened", "step": "split", "fan_out": 1, "legs": [{"items": [1, 2, 3]}, {"arc": 1}]})");
  hear(R"({"type": "branch_opened", "fan_out": 1, "scope": 2})");
  hear(R"({"type": "branch_opened", "fan_out": 1, "scope": 3})");
  hear(R"({"type": "branch_settled", "scope": 3})");
  EXPECT_THAT(lines()[1], HasSubstr("1/4"));
}

TEST_F(LiveModelTest, WhatRunsIsShownWhenThereIsNotRoomForAll) {
  for (const char* name : {"a", "b", "c", "d"}) step("step_started", name);
  for (const char* name : {"b", "c", "d"}) step("step_done", name);
  EXPECT_THAT(lines(80, 3), ElementsAre(HasSubstr("order"), HasSubstr("> a"), HasSubstr("+ d")));
}

TEST_F(LiveModelTest, LinesAreCutBetweenCharacters) {
  step("step_started", "über");
  EXPECT_THAT(lines(4)[1], "> üb");
}

TEST(LiveViewTest, DrawsOverWhatItDrewAndRestoresTheCursor) {
  std::ostringstream out;
  {
    LiveView view(out);
    view.model().hear(parse_json(R"({"type": "workflow_started", "playbook": "p", "execution": "e"})").value());
    view.draw(at("2026-01-02T12:00:00Z"), {"waits"});
    view.draw(at("2026-01-02T12:00:00.05Z"), {"too early to be drawn again"});
    view.draw(at("2026-01-02T12:00:01Z"), {"waits"});
  }
  EXPECT_EQ(out.str(),
            "\033[?25lp  e  running  \nwaits\n"
            "\033[2A\033[Jp  e  running  \nwaits\n\033[?25h");
}

TEST(EventLineTest, SaysWhenWhatAndWhose) {
  const Value done = parse_json(R"({"type": "step_done", "ts": "2026-01-02T12:00:01.25Z", "step": "fetch",
                                    "run": "fetch#1", "attempt": 2, "output": {"rows": 3}})")
                         .value();
  EXPECT_EQ(event_line(done), R"(12:00:01.250  step_done             fetch#1 attempt 2  {"rows":3})");
  const Value failed = parse_json(R"({"type": "step_retry_scheduled", "ts": "2026-01-02T12:00:01Z", "run": "pay#1",
                                      "at": "2026-01-02T12:00:11Z", "error": {"kind": "exit_1", "message": "no\nmoney"}})")
                           .value();
  EXPECT_EQ(event_line(failed), "12:00:01.000  step_retry_scheduled  pay#1  exit_1: no money; again at 12:00:11.000");
}

TEST(EventLineTest, LongValuesAreCut) {
  const std::string text(500, 'x');
  const Value done = Value::map({{"type", "step_done"}, {"output", text}});
  EXPECT_THAT(event_line(done), HasSubstr("xxx..."));
  EXPECT_LT(event_line(done).size(), 200);
}

TEST(EventLineTest, TheBooksOfTheEngineAreNotTelling) {
  EXPECT_FALSE(is_telling(Value::map({{"type", "token_created"}})));
  EXPECT_FALSE(is_telling(Value::map({{"type", "attempt_started"}, {"attempt", 1}})));
  EXPECT_TRUE(is_telling(Value::map({{"type", "attempt_started"}, {"attempt", 2}})));
  EXPECT_TRUE(is_telling(Value::map({{"type", "step_done"}})));
}

}  // namespace
}  // namespace stepwell::cli
