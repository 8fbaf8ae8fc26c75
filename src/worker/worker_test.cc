#include "stepwell/worker/worker.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/value/json_write.h"
#include "stepwell/worker/testing/worker_fixture.h"

namespace stepwell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::WorkerTest;

TEST_F(WorkerTest, RunsAPipelineToItsEnd) {
  const AttemptReport report = run(R"([{"first": {"kind": "shell", "cmd": "echo '{\"n\": 4}'"}},
     {"second": {"kind": "lua", "script": "return args.n * 10", "args": {"n": "{{ first.json.n }}"}}}])");
  EXPECT_EQ(words(report), "done 40");
  EXPECT_THAT(tasks(report), ElementsAre("first 1.1 ok", "second 1.1 ok"));
}

TEST_F(WorkerTest, AToolThatFailsWithoutARuleFailsTheAttempt) {
  EXPECT_EQ(words(run(R"([{"a": {"kind": "shell", "cmd": "exit 3"}}])")),
            "failed transport exit_3: the command ended with exit code 3");
  EXPECT_EQ(words(run(R"([{"a": {"kind": "throws"}}])")), "failed transport tool: the tool 'throws' threw: oh no");
  EXPECT_EQ(words(run(R"([{"a": {"kind": "missing"}}])")), "failed transport tool: no tool 'missing' is served here");
}

TEST_F(WorkerTest, RulesDecideAndTheirPatchesComeBack) {
  const AttemptReport report = run(
      R"([{"a": {"kind": "lua", "script": "return args.n + 1", "args": {"n": "{{ vars.n | default(0) }}"}, "eval": [{"when": "a < 3", "do": "jump", "to": "a", "set_vars": {"n": "{{ a }}"}}, {"do": "break", "set_ctx": {"total": "{{ a }}"}}]}}])");
  EXPECT_EQ(words(report), "done 3");
  EXPECT_EQ(to_json(report.ctx), R"({"total":3})");
  EXPECT_EQ(to_json(report.vars), R"({"n":2})");
  EXPECT_THAT(tasks(report), ElementsAre("a 1.1 ok", "a 2.1 ok", "a 3.1 ok"));
}

TEST_F(WorkerTest, ADelayedRetryIsHandedBackAndGoesOnWhereItWas) {
  constexpr std::string_view kPipeline = R"([{"before": {"kind": "lua", "script": "return {x = 1}"}},
     {"a": {"kind": "lua", "script": "if args.try < 2 then error('not yet') end return args", "args": {"try": "{{ _attempt }}", "x": "{{ before.x }}"}, "eval": [{"when": "outcome.status == 'error'", "do": "retry", "attempts": 3, "backoff": "fixed", "delay": "5s"}]}}])";
  const AttemptReport first = run(kPipeline);
  EXPECT_EQ(words(first), "deferred 5s");
  EXPECT_THAT(tasks(first), ElementsAre("before 1.1 ok", "a 1.1 error"));
  AttemptOffer again = offer(kPipeline);
  again.cursor = first.cursor;
  const AttemptReport second = run(std::move(again));
  EXPECT_EQ(words(second), R"(done {"x":1,"try":2})");
  EXPECT_THAT(tasks(second), ElementsAre("a 1.2 ok"));
}

TEST_F(WorkerTest, AnExpressionThatFailsFailsTheAttempt) {
  EXPECT_THAT(words(run(R"([{"a": {"kind": "shell", "cmd": "echo {{ workload.missing }}"}}])")),
              HasSubstr("failed expression undefined: "));
  EXPECT_THAT(words(run(R"([{"a": {"kind": "shell", "cmd": "echo {{ secret('none') }}"}}])")),
              HasSubstr("failed authorization secret_refused: there is no secret 'none'"));
}

TEST_F(WorkerTest, ACursorOfAnotherPipelineIsAnError) {
  AttemptOffer strange = offer(R"([{"a": {"kind": "shell", "cmd": "true"}}])");
  strange.cursor = json(R"({"task": 7})");
  EXPECT_EQ(words(run(std::move(strange))), "failed engine consistency: the cursor does not fit the pipeline");
}

TEST_F(WorkerTest, TheKeyOfATaskIsTheSameForEveryAttemptAndOfferAndDiffersOtherwise) {
  auto keys = [&](std::uint32_t ordinal, std::uint32_t attempt, std::string_view execution) {
    AttemptOffer made = offer(R"([{"a": {"kind": "key"}},
     {"b": {"kind": "key", "eval": [{"when": "vars.again is not defined", "do": "jump", "to": "a", "set_vars": {"again": 1}}]}}])");
    made.ordinal = ordinal;
    made.key.attempt = attempt;
    made.key.execution = execution;
    keys_.clear();
    run(std::move(made));
    return keys_;
  };
  const std::vector<std::string> first = keys(1, 1, "e1");
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 4u);
  EXPECT_EQ(keys(1, 2, "e1"), first);
  const std::vector<std::string> other_run = keys(2, 1, "e1");
  const std::vector<std::string> other_execution = keys(1, 1, "e2");
  std::set<std::string> all(first.begin(), first.end());
  all.insert(other_run.begin(), other_run.end());
  all.insert(other_execution.begin(), other_execution.end());
  EXPECT_EQ(all.size(), 12u);
}

TEST_F(WorkerTest, TheDeadlineOfAnAttemptIsNoMatterForRules) {
  AttemptOffer late = offer(
      R"([{"a": {"kind": "shell", "cmd": "sleep 600", "eval": [{"do": "retry", "attempts": 100, "backoff": "none"}]}}])");
  late.deadline = checked_add(now(), *Duration::parse("200ms"));
  EXPECT_EQ(words(run(std::move(late))), "failed timeout attempt: the attempt did not end before its deadline");
}

TEST_F(WorkerTest, CancellationReachesARunningToolAndNothingIsReported) {
  const AttemptOffer made = offer(R"([{"a": {"kind": "until_stopped"}},
     {"b": {"kind": "key"}}])");
  worker().offer({made});
  wait_until([&] { return started_ == 1; });
  worker().cancel(made.key);
  wait_until([&] { return stopped_ == 1; });
  EXPECT_EQ(words(run(R"([{"a": {"kind": "lua", "script": "return 1"}}])")), "done 1");
  EXPECT_EQ(reports_seen(), 1u);
  EXPECT_TRUE(keys_.empty());
  EXPECT_EQ(worker().held(), 0u);
}

TEST_F(WorkerTest, WhatWaitsInLineCanBeCancelled) {
  options_.blocking_threads = 1;
  const AttemptOffer first = offer(R"([{"a": {"kind": "until_stopped"}}])");
  const AttemptOffer second = offer(R"([{"a": {"kind": "key"}}])");
  worker().offer({first, second});
  wait_until([&] { return started_ == 1; });
  worker().cancel(second.key);
  worker().cancel(first.key);
  EXPECT_EQ(words(run(R"([{"a": {"kind": "lua", "script": "return 1"}}])")), "done 1");
  EXPECT_TRUE(keys_.empty());
}

TEST_F(WorkerTest, AnOfferThatComesTwiceRunsOnce) {
  const AttemptOffer made = offer(R"([{"a": {"kind": "until_stopped"}}])");
  worker().offer({made, made});
  worker().offer({made});
  wait_until([&] { return started_ == 1; });
  EXPECT_EQ(worker().held(), 1u);
}

TEST_F(WorkerTest, ManyAttemptsAreAllReportedExactlyOnce) {
  options_.blocking_threads = 4;
  std::vector<AttemptOffer> offers;
  offers.reserve(500);
  for (int i = 0; i < 500; ++i) {
    offers.push_back(offer(i % 2 == 0 ? R"([{"a": {"kind": "lua", "script": "return 1"}}])"
                                      : R"([{"a": {"kind": "echo_async", "value": 2}}])"));
  }
  std::set<AttemptKey> expected;
  for (const AttemptOffer& each : offers) expected.insert(each.key);
  worker().offer(std::move(offers));
  wait_until([&] { return reports_seen() == 500; });
  std::set<AttemptKey> seen;
  for (const AttemptReport& report : reports()) seen.insert(report.key);
  EXPECT_EQ(seen, expected);
}

TEST_F(WorkerTest, NetworkToolsNeedNoThreadOfThePool) {
  options_.blocking_threads = 1;
  const AttemptOffer busy = offer(R"([{"a": {"kind": "until_stopped"}}])");
  worker().offer({busy});
  wait_until([&] { return started_ == 1; });
  EXPECT_EQ(words(run(R"([{"a": {"kind": "echo_async", "value": "{{ workload.x }}"}}])")), "done 7");
}

TEST_F(WorkerTest, ReportsOfWhatIsSteppedTogetherLeaveTogether) {
  worker().offer({offer(R"([{"a": {"kind": "at_once", "value": "gate"}}])")});
  at_once_->at_gate.wait();
  const AttemptOffer cancelled = offer(R"([{"a": {"kind": "at_once", "value": 0}}])");
  worker().offer({offer(R"([{"a": {"kind": "at_once", "value": 1}}])"), cancelled});
  worker().offer({offer(R"([{"a": {"kind": "at_once", "value": 2}}])")});
  worker().cancel(cancelled.key);
  at_once_->gate.count_down();
  wait_until([&] { return reports_seen() == 3; });
  EXPECT_THAT(batches(), ElementsAre(1, 2));
  EXPECT_EQ(worker().held(), 0u);
}

TEST_F(WorkerTest, ToolsThatAnswerAtOnceDoNotPileUpOnTheStack) {
  EXPECT_EQ(words(run(R"([{"a": {"kind": "at_once", "value": "{{ (vars.n | default(0)) + 1 }}",
     "eval": [{"when": "a < 9000", "do": "jump", "to": "a", "set_vars": {"n": "{{ a }}"}}]}}])")),
            "done 9000");
}

TEST_F(WorkerTest, ItsEndEndsWhatIsRunningWithoutAReport) {
  worker().offer({offer(R"([{"a": {"kind": "until_stopped"}}])"), offer(R"([{"a": {"kind": "never_async"}}])")});
  wait_until([&] { return started_ == 2; });
  end_worker();
  EXPECT_EQ(stopped_, 2);
  EXPECT_EQ(reports_seen(), 0u);
}

TEST_F(WorkerTest, LinesOfARunningToolAreShownWithoutSecrets) {
  secrets_.known["key"] = "hunter2";
  run(R"([{"a": {"kind": "shell", "cmd": "printf 'hun'; sleep 0.1; echo ter2; echo two; printf rest", "env": {"K": "{{ secret('key') }}"}}}])");
  EXPECT_EQ(shown(), "a: ***\na: two\n");
}

TEST_F(WorkerTest, SecretsAppearNowhere) {
  secrets_.known["key"] = "hunter2";
  const AttemptReport report = run(
      R"([{"a": {"kind": "shell", "cmd": "echo $K; echo $K >&2; exit 1", "env": {"K": "{{ secret('key') }}"}, "eval": [{"do": "continue", "set_vars": {"seen": "{{ outcome }}"}}]}},
     {"b": {"kind": "shell", "cmd": "echo hunter2; echo '{\"hunter2\": \"hunter2\"}' >&2", "eval": [{"do": "retry", "delay": "1s", "set_ctx": {"b": "{{ outcome }}"}}]}}])");
  EXPECT_EQ(words(report), "deferred 1s");
  const std::string all = to_json(report.cursor) + shown();
  EXPECT_THAT(all, Not(HasSubstr("hunter2")));
  EXPECT_THAT(all, HasSubstr("***"));
  const AttemptReport failure = run(R"([{"a": {"kind": "shell", "cmd": ["{{ secret('key') }}"]}}])");
  EXPECT_EQ(words(failure), "failed transport tool: there is no program '***' in PATH");
}

TEST_F(WorkerTest, LargePartsOfResultsArePutAwayAndComeBackForTools) {
  inline_max_ = 1000;
  const AttemptReport report = run(R"([{"a": {"kind": "lua", "script": "return {text = ('x'):rep(5000), n = 1}"}}])");
  EXPECT_THAT(words(report), HasSubstr(R"(done {"n":1,"text":{"$ref":"sha256:)"));
  EXPECT_EQ(blobs_.kept.size(), 1u);
  AttemptOffer next =
      offer(R"([{"a": {"kind": "lua", "script": "return #args.text", "args": {"text": "{{ workload.text }}"}}}])");
  const Value output = report.output.decode();
  next.inputs = Value::map({{"workload", Value::map({{"text", *output.find("text")}})}});
  EXPECT_EQ(words(run(next)), "done 5000");
  blobs_.kept.clear();
  next.key.offer = 99;
  EXPECT_THAT(words(run(next)), HasSubstr("failed engine blob: "));
}

TEST_F(WorkerTest, ACursorIsSmallWhenItIsHandedBackAndWholeWhenItGoesOn) {
  inline_max_ = 1000;
  constexpr std::string_view kPipeline = R"y([{"big": {"kind": "lua", "script": "return ('x'):rep(5000)"}},
     {"a": {"kind": "lua", "script": "return {args.size, args.try}", "args": {"size": "{{ big | length }}", "try": "{{ _attempt }}"}, "eval": [{"when": "_attempt < 2", "do": "retry", "delay": "1s"}]}}])y";
  const AttemptReport first = run(kPipeline);
  EXPECT_EQ(words(first), "deferred 1s");
  EXPECT_LT(first.cursor.weight(), 1000u);
  AttemptOffer again = offer(kPipeline);
  again.cursor = first.cursor;
  EXPECT_EQ(words(run(std::move(again))), "done [5000,2]");
}

TEST_F(WorkerTest, ABlobThatCannotBePutFailsTheAttemptForNow) {
  inline_max_ = 1000;
  blobs_.full = true;
  const AttemptReport report = run(R"y([{"a": {"kind": "lua", "script": "return ('x'):rep(5000)"}}])y");
  EXPECT_EQ(words(report), "failed engine blob: the disk is full");
  EXPECT_EQ(*report.error.find("retryable"), Value(true));
}

TEST_F(WorkerTest, AnAnswerThatNestsTooDeepIsAnErrorOfTheTool) {
  EXPECT_EQ(words(run(R"([{"a": {"kind": "deep"}}])")),
            "failed transport depth: what the tool answered nests too deep");
}

}  // namespace
}  // namespace stepwell
