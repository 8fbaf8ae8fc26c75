#include "stepwell/server/local_service.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "stepwell/server/testing/service_test.h"

namespace stepwell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kTwoSteps =
    "workflow:\n"
    "  - {step: fetch, tool: {kind: work}, set: {ctx.total: 3}, next: tell}\n"
    "  - {step: tell, tool: {kind: work}}\n"
    "output: {total: '{{ ctx.total }}'}\n";

TEST_F(ServiceTest, AnExecutionRunsAndItsEventsAreToldInOrder) {
  add_playbook("two", std::string(kTwoSteps));
  start("two", "e1");
  std::vector<std::string> types = run_to_rest("e1");
  std::erase_if(types, [](const std::string& type) {
    return !type.starts_with("workflow") && !type.starts_with("step") && !type.starts_with("attempt");
  });
  EXPECT_THAT(types, ElementsAre("workflow_started", "step_started", "attempt_started", "step_done", "step_started",
                                 "attempt_started", "step_done", "workflow_completed"));
  EXPECT_EQ(status("e1"), "completed");
  const Value got = must("executions.get", json(R"({"execution": "e1"})"));
  EXPECT_EQ(to_json(*got.find("output")), R"({"total":3})");
}

TEST_F(ServiceTest, EventsAreNumberedFromOneAndCanBeReadFromAnyOn) {
  add_playbook("two", std::string(kTwoSteps));
  start("two", "e1");
  run_to_rest("e1");
  const Value all = must("executions.events", json(R"({"execution": "e1"})"));
  std::int64_t seq = 0;
  for (const Value& event : all.as_list()) {
    EXPECT_EQ(event.find("seq")->as_int(), ++seq);
    EXPECT_EQ(event.find("execution")->as_text(), "e1");
    EXPECT_TRUE(event.find("ts")->is_text());
  }
  const Value late = must("executions.events", json(R"({"execution": "e1", "after": 5})"));
  EXPECT_EQ(late.as_list().size(), all.as_list().size() - 5);
}

TEST_F(ServiceTest, EveryAttemptIsToldAndEveryRunEndsOnce) {
  add_playbook("flaky",
               "workflow:\n  - {step: bad, tool: {kind: work}, retry: {max_attempts: 3, backoff: none},\n"
               "     next: [{step: other, on: failed}]}\n  - {step: other}\n");
  start("flaky", "e1");
  const std::vector<std::string> types = run_to_rest("e1");
  const auto count = [&](std::string_view type) { return std::ranges::count(types, type); };
  EXPECT_EQ(count("step_started"), 2);
  EXPECT_EQ(count("attempt_started"), 4);
  EXPECT_EQ(count("attempt_failed"), 3);
  EXPECT_EQ(count("step_retry_scheduled"), 2);
  EXPECT_EQ(count("step_failed"), 1);
  EXPECT_EQ(count("step_done"), 1);
}

TEST_F(ServiceTest, AFailureCarriesItsError) {
  add_playbook("flaky",
               "workflow:\n  - {step: bad, tool: {kind: work}, next: [{step: other, on: failed}]}\n"
               "  - {step: other}\n");
  start("flaky", "e1");
  run_to_rest("e1");
  const Value events = must("executions.events", json(R"({"execution": "e1"})"));
  const auto failed = std::ranges::find_if(
      events.as_list(), [](const Value& event) { return event.find("type")->as_text() == "step_failed"; });
  ASSERT_NE(failed, events.as_list().end());
  EXPECT_EQ(failed->find("step")->as_text(), "bad");
  EXPECT_EQ(failed->find("run")->as_text(), "bad#1");
  EXPECT_EQ(failed->find("error")->find("message")->as_text(), "no answer");
  EXPECT_EQ(failed->find("error")->find("class")->as_text(), "transport");
}

TEST_F(ServiceTest, AnEndByTerminateSaysSo) {
  add_playbook("stop", "workflow:\n  - {step: no_way, type: terminate, status: failed, reason: unsafe}\n");
  start("stop", "e1");
  EXPECT_EQ(run_to_rest("e1").back(), "workflow_failed");
  const Value got = must("executions.get", json(R"({"execution": "e1"})"));
  EXPECT_EQ(got.find("termination_reason")->as_text(), "unsafe");
  EXPECT_EQ(got.find("terminated_by")->as_text(), "no_way");
  EXPECT_TRUE(got.find("is_explicit")->as_bool());
}

TEST_F(ServiceTest, ASignalMovesAnExecutionThatWaitsForIt) {
  add_playbook("wait", "workflow:\n  - {step: paid, type: wait, signal: paid}\noutput: '{{ paid.output }}'\n");
  start("wait", "e1");
  run_to_rest("e1");
  const Value got = must("executions.get", json(R"({"execution": "e1"})"));
  EXPECT_FALSE(got.find("moves")->as_bool());
  EXPECT_EQ(got.find("status")->as_text(), "waiting");
  EXPECT_EQ(got.find("tokens")->as_list()[0].find("words")->as_text(), "the signal 'paid'");
  must("executions.signal", json(R"({"execution": "e1", "name": "paid", "payload": 17})"));
  run_to_rest("e1");
  EXPECT_EQ(status("e1"), "completed");
}

TEST_F(ServiceTest, ATimerMovesItByItselfAndItsDeadlineDoesNot) {
  add_playbook("timer", "workflow:\n  - {step: rest, type: wait, for: 1h}\n");
  add_playbook("human", "workflow:\n  - {step: sign, type: human, title: Sign, timeout: 1h}\n");
  start("timer", "t");
  start("human", "h");
  const Value timer = must("executions.get", json(R"({"execution": "t"})"));
  EXPECT_TRUE(timer.find("moves")->as_bool());
  const Value human = must("executions.get", json(R"({"execution": "h"})"));
  EXPECT_FALSE(human.find("moves")->as_bool());
}

TEST_F(ServiceTest, ACallerMovesAsLongAsTheCalledOneDoes) {
  add_playbook("child", "workflow:\n  - {step: sign, type: human, title: Sign}\n");
  add_playbook("caller", "workflow:\n  - {step: ask, type: call, playbook: child}\n");
  start("caller", "e1");
  run_to_rest("e1");
  EXPECT_EQ(status("e1"), "waiting");
}

TEST_F(ServiceTest, APatchOpensAGate) {
  add_playbook("gate", "workflow:\n  - {step: ship, when: ctx.paid, tool: {kind: work}}\n");
  start("gate", "e1");
  run_to_rest("e1");
  EXPECT_EQ(status("e1"), "waiting");
  must("executions.patch", json(R"({"execution": "e1", "patch": {"paid": true}})"));
  run_to_rest("e1");
  EXPECT_EQ(status("e1"), "completed");
}

TEST_F(ServiceTest, AParkedFailureIsRetriedOrSkippedAndItsRunEndsOnce) {
  add_playbook("park", "workflow:\n  - {step: bad, tool: {kind: work}}\n");
  start("park", "e1");
  run_to_rest("e1");
  EXPECT_EQ(status("e1"), "suspended");
  EXPECT_THAT(ask("executions.retry", R"({"execution": "e1", "step": "good"})"),
              StartsWith("not_found: no failure of step 'good'"));
  must("executions.retry", json(R"({"execution": "e1"})"));
  run_to_rest("e1");
  EXPECT_EQ(status("e1"), "suspended");
  must("executions.skip", json(R"({"execution": "e1", "step": "bad#2", "output": 5})"));
  const std::vector<std::string> types = run_to_rest("e1");
  EXPECT_EQ(status("e1"), "completed");
  EXPECT_EQ(std::ranges::count(types, "step_started"), 2);
  EXPECT_EQ(std::ranges::count(types, "step_failed") + std::ranges::count(types, "step_done"), 2);
  EXPECT_EQ(std::ranges::count(types, "attempt_failed"), 2);
}

TEST_F(ServiceTest, SuspendedItWaitsAndCancelledItEnds) {
  add_playbook("slow", "workflow:\n  - {step: slow, tool: {kind: work}}\n");
  start("slow", "e1");
  must("executions.suspend", json(R"({"execution": "e1"})"));
  EXPECT_THAT(ask("executions.suspend", R"({"execution": "e1"})"), StartsWith("not_allowed: "));
  must("executions.unsuspend", json(R"({"execution": "e1"})"));
  must("executions.cancel", json(R"({"execution": "e1", "reason": "enough"})"));
  EXPECT_EQ(status("e1"), "cancelled");
  EXPECT_THAT(ask("executions.cancel", R"({"execution": "e1"})"), StartsWith("ended: "));
}

TEST_F(ServiceTest, TheStateAtAVersionAndWhatChangedSince) {
  add_playbook("two", std::string(kTwoSteps));
  start("two", "e1");
  run_to_rest("e1");
  const Value first = must("executions.state", json(R"({"execution": "e1", "at": 1})"));
  EXPECT_EQ(to_json(*first.find("ctx")), "{}");
  EXPECT_EQ(first.find("tokens")->as_list()[0].find("step")->as_text(), "fetch");
  const Value last = must("executions.state", json(R"({"execution": "e1"})"));
  EXPECT_EQ(to_json(*last.find("ctx")), R"({"total":3})");
  EXPECT_THAT(ask("executions.diff", R"({"execution": "e1", "from": 1, "to": 2})"), HasSubstr("ctx.total"));
  EXPECT_THAT(ask("executions.state", R"({"execution": "e1", "at": 99})"), StartsWith("not_found: "));
}

TEST_F(ServiceTest, AStartUnderTheSameIdIsTheSameExecution) {
  add_playbook("two", std::string(kTwoSteps));
  start("two", "e1");
  EXPECT_EQ(ask("executions.start", R"({"playbook": "two", "id": "e1", "input": {}})"),
            R"({"repeated":true,"execution":"e1"})");
  EXPECT_THAT(ask("executions.start", R"({"playbook": "two", "id": "e1", "input": {"n": 1}})"),
              StartsWith("id_conflict: "));
}

TEST_F(ServiceTest, AnExecutionIsFoundByTheBeginningOfItsId) {
  add_playbook("two", std::string(kTwoSteps));
  start("two", "alpha-1");
  start("two", "alpha-2");
  start("two", "beta");
  EXPECT_THAT(ask("executions.get", R"({"execution": "be"})"), HasSubstr(R"("execution":"beta")"));
  EXPECT_THAT(ask("executions.get", R"({"execution": "alpha"})"), StartsWith("not_found: several executions"));
  EXPECT_THAT(ask("executions.get", R"({"execution": "gamma"})"), StartsWith("not_found: there is no execution"));
}

TEST_F(ServiceTest, AListIsFilteredAndPaged) {
  add_playbook("two", std::string(kTwoSteps));
  add_playbook("wait", "workflow:\n  - {step: paid, type: wait, signal: paid}\n");
  for (const char* id : {"a", "b", "c"}) start("two", id);
  for (const char* id : {"a", "b", "c"}) run_to_rest(id);
  start("wait", "w");
  const Value waiting = must("executions.list", json(R"({"status": ["waiting"]})"));
  ASSERT_EQ(waiting.find("executions")->as_list().size(), 1);
  EXPECT_EQ(waiting.find("executions")->as_list()[0].find("wait")->as_text(), "signal");
  const Value page = must("executions.list", json(R"({"playbook": "two", "limit": 2})"));
  EXPECT_EQ(page.find("executions")->as_list().size(), 2);
  const Value next = must("executions.list", Value::map({{"playbook", "two"}, {"after", *page.find("next")}}));
  EXPECT_EQ(next.find("executions")->as_list().size(), 1);
}

TEST_F(ServiceTest, WhatIsAskedWronglyIsRefusedWithAReason) {
  EXPECT_THAT(ask("executions.start", R"({"playbook": 5})"), StartsWith("invalid: the parameter 'playbook'"));
  EXPECT_THAT(ask("executions.start", R"({"playbook": "none"})"), StartsWith("not_found: "));
  EXPECT_THAT(ask("playbooks.register", R"({"source": "workflow: []", "file": "x.yaml"})"),
              StartsWith("invalid_definition: x.yaml:"));
  EXPECT_THAT(ask("no.such", "{}"), StartsWith("unknown_method: "));
}

}  // namespace
}  // namespace stepwell
