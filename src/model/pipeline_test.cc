#include "stepwell/model/pipeline.h"

#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

Value json(std::string_view text) { return parse_json(text).value(); }

// An expression as it is bound in a pipeline whose tasks are called a, b and c.
Expression expression(std::string_view source) {
  Expression made{.program = compile_expression(source).value()};
  for (const std::string& root : made.program.roots) {
    Name name;
    if (root == "vars") name.kind = NameKind::vars;
    if (root == "outcome") name.kind = NameKind::outcome;
    if (root == "args") name.kind = NameKind::args;
    if (root == "results") name.kind = NameKind::results;
    if (root == "workload") name.kind = NameKind::workload;
    if (root == "_prev") name.kind = NameKind::previous;
    if (root == "_task") name.kind = NameKind::task_name;
    if (root == "_attempt") name.kind = NameKind::attempt;
    if (root == "a" || root == "b" || root == "c") name.kind = NameKind::task;
    made.names.push_back(name);
  }
  return made;
}

Mapping computed(std::string_view source) { return {expression(source)}; }

Mapping patch(std::string key, std::string_view source) {
  return {Mapping::Map{{.key = std::move(key), .value = computed(source)}}};
}

Rule rule(RuleAction action, std::string_view when = {}) {
  Rule made;
  made.action = action;
  if (!when.empty()) made.when = expression(when);
  return made;
}

Rule retrying(std::int64_t attempts, Backoff backoff, std::string_view delay, std::string_view when = {}) {
  Rule made = rule(RuleAction::retry, when);
  made.retry.max_attempts = attempts;
  made.retry.backoff = backoff;
  made.retry.delay = *Duration::parse(delay);
  return made;
}

Rule setting_vars(std::string key, std::string_view source) {
  Rule made = rule(RuleAction::go_on);
  made.set_vars = patch(std::move(key), source);
  return made;
}

Task task(std::string label, std::string kind, std::vector<Rule> rules = {}) {
  Task made;
  made.label = std::move(label);
  made.pure = kind == "noop" || kind == "emit";
  made.kind = std::move(kind);
  made.rules = std::move(rules);
  return made;
}

// What a pipeline does is told in words: "run b", "later 5s", "done 3", "failed kind: message".
class PipelineTest : public ::testing::Test {
 protected:
  void begin(std::vector<Task> tasks, PipelineCursor cursor = {}) {
    step_.pipeline = std::move(tasks);
    stepper_.emplace(step_, inputs_, std::move(cursor), ambient_);
  }

  std::string settle(const TaskOutcome& outcome) { return words(stepper_->settle(outcome)); }
  std::string ok(Value result) { return settle({.result = std::move(result)}); }
  std::string error(std::string_view kind) {
    return settle({.ok = false, .error = Value::map({{"kind", Value(kind)}, {"message", "broken"}})});
  }
  std::string run_pure() { return words(stepper_->run_pure_tasks()); }
  const PipelineCursor& cursor() const { return stepper_->cursor(); }

  std::string words(const std::expected<PipelineNext, ExprError>& next) const {
    if (!next) return "wrong " + next.error().message;
    switch (next->kind) {
      case PipelineNext::Kind::run: return "run " + stepper_->task().label;
      case PipelineNext::Kind::later: return "later " + next->delay.str();
      case PipelineNext::Kind::done: return "done " + to_json(next->result);
      case PipelineNext::Kind::failed: break;
    }
    return "failed " + std::string(next->error.find("kind")->as_text()) + ": " +
           std::string(next->error.find("message")->as_text());
  }

  Step step_;
  Value inputs_ = json(R"({"workload": {"limit": 2}, "args": {"of": "step", "x": 1}})");
  Ambient ambient_;
  std::optional<PipelineStepper> stepper_;
};

TEST_F(PipelineTest, WithoutRulesOkGoesOnAndTheLastResultIsTheResult) {
  begin({task("a", "http"), task("b", "http")});
  EXPECT_EQ(ok(1), "run b");
  EXPECT_EQ(ok(2), "done 2");
  EXPECT_EQ(to_json(cursor().results), R"({"a":1,"b":2})");
}

TEST_F(PipelineTest, WithoutRulesAnErrorFailsAndLeavesNoResult) {
  begin({task("a", "http"), task("b", "http")});
  EXPECT_EQ(error("http_503"), "failed http_503: broken");
  EXPECT_EQ(to_json(cursor().results), "{}");
}

TEST_F(PipelineTest, TheFirstRuleWhoseConditionHoldsDecides) {
  begin({task("a", "http",
              {rule(RuleAction::go_on, "outcome.status == 'error'"),
               rule(RuleAction::fail, "outcome.result > workload.limit"), rule(RuleAction::end)}),
         task("b", "http")});
  EXPECT_EQ(ok(3), "failed tool: a rule failed the pipeline");
  EXPECT_EQ(ok(1), "done 1");
  EXPECT_EQ(error("x"), "run b");
}

TEST_F(PipelineTest, ARuleThatCannotBeAskedIsAnError) {
  begin({task("a", "http", {rule(RuleAction::go_on, "outcome.result.total > 1")})});
  EXPECT_EQ(ok(Value::map({})), "wrong 'outcome.result.total' is undefined");
}

TEST_F(PipelineTest, PatchesSeeWhatWasBeforeTheRule) {
  Rule patching = setting_vars("n", "vars.n + 1");
  patching.set_ctx = patch("total", "vars.n");
  patching.set_iter = patch("got", "_prev");
  PipelineCursor before;
  before.vars = json(R"({"n": 1, "kept": true})");
  begin({task("a", "http", {patching}), task("b", "http")}, std::move(before));
  EXPECT_EQ(ok("r"), "run b");
  EXPECT_EQ(to_json(cursor().ctx), R"({"total":1})");
  EXPECT_EQ(to_json(cursor().vars), R"({"n":2,"kept":true})");
  EXPECT_EQ(to_json(cursor().iter), R"({"got":"r"})");
}

TEST_F(PipelineTest, RetryCountsAllTriesAndWaitsLongerEachTime) {
  begin({task("a", "http", {retrying(3, Backoff::exponential, "5s", "outcome.status == 'error'")})});
  EXPECT_EQ(error("x"), "later 5s");
  EXPECT_EQ(error("x"), "later 10s");
  EXPECT_EQ(error("x"), "failed x: broken");
}

TEST_F(PipelineTest, ARetryWithoutDelayRunsAtOnce) {
  begin({task("a", "http", {retrying(2, Backoff::none, "0s")})});
  EXPECT_EQ(ok(1), "run a");
  EXPECT_EQ(cursor().attempt, 2u);
  EXPECT_EQ(ok(1), "failed retries: no attempts are left");
}

TEST_F(PipelineTest, TriesAreCountedAnewWhenAnotherTaskRuns) {
  begin({task("a", "http", {retrying(9, Backoff::none, "0s", "_attempt < 2")}),
         task("b", "http", {rule(RuleAction::jump)})});
  EXPECT_EQ(ok(1), "run a");
  EXPECT_EQ(ok(1), "run b");
  EXPECT_EQ(ok(1), "run a");
  EXPECT_EQ(ok(1), "run a");
  EXPECT_EQ(ok(1), "run b");
}

TEST_F(PipelineTest, JumpsAreBounded) {
  begin({task("a", "noop", {rule(RuleAction::jump)})});
  EXPECT_EQ(run_pure(), "failed tool: more jumps than a pipeline may make");
  EXPECT_EQ(cursor().jumps, 10'001u);
}

TEST_F(PipelineTest, PureTasksRunUntilAToolIsNeeded) {
  begin({task("a", "noop", {setting_vars("n", "workload.limit")}), task("b", "noop"), task("c", "http")});
  EXPECT_EQ(run_pure(), "run c");
  EXPECT_EQ(to_json(cursor().vars), R"({"n":2})");
  EXPECT_EQ(run_pure(), "run c") << "a tool is not passed";
  EXPECT_EQ(ok(1), "done 1");
}

TEST_F(PipelineTest, ANoopGivesWhatWasThereBeforeIt) {
  begin({task("a", "http"), task("b", "noop")});
  EXPECT_EQ(ok(7), "run b");
  EXPECT_EQ(run_pure(), "done 7");
}

TEST_F(PipelineTest, EmittedEventsAreKeptInOrder) {
  Task first = task("a", "emit");
  first.fields = {{.key = "event", .value = {Value("paid")}}, {.key = "value", .value = computed("workload.limit")}};
  Task second = task("b", "emit");
  second.fields = {{.key = "event", .value = {Value("sent")}}};
  begin({first, second});
  EXPECT_EQ(run_pure(), R"(done {"event":"sent"})");
  EXPECT_EQ(to_json(cursor().emitted), R"([{"event":"paid","value":2},{"event":"sent"}])");
}

TEST_F(PipelineTest, AnEventWithoutANameIsTheTasksError) {
  Task nameless = task("a", "emit");
  nameless.fields = {{.key = "event", .value = computed("workload.limit")}};
  begin({nameless});
  EXPECT_EQ(run_pure(), "failed type: the name of a domain event must be text");
  EXPECT_EQ(to_json(cursor().emitted), "[]");
}

TEST_F(PipelineTest, ArgsOfATaskFromTheWorkbookLieOverThoseOfTheStep) {
  Task entry = task("a", "noop", {rule(RuleAction::end, "args.x == 5 and args.of == 'step'")});
  entry.args = patch("x", "args.x + 4");
  begin({entry, task("b", "noop", {rule(RuleAction::fail)})});
  EXPECT_EQ(run_pure(), "done null");
}

TEST_F(PipelineTest, ACursorComesBackAsItWas) {
  begin({task("a", "noop", {setting_vars("n", "1")}), task("b", "http"), task("c", "http")});
  EXPECT_EQ(run_pure(), "run b");
  EXPECT_EQ(ok("b's"), "run c");
  const Value written = cursor().to_value();
  const auto read = PipelineCursor::from_value(written, 3);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->to_value(), written);
  EXPECT_FALSE(PipelineCursor::from_value(written, 2).has_value()) << "there is no third task";
  EXPECT_FALSE(PipelineCursor::from_value(json(R"({"task": 0})"), 3).has_value());
  EXPECT_FALSE(PipelineCursor::from_value(Value(), 3).has_value());
}

TEST(BackoffDelay, GrowsAsItsKindSays) {
  Retry retry = retrying(9, Backoff::fixed, "2s").retry;
  retry.max_delay = *Duration::parse("7s");
  auto delays = [&](Backoff backoff) {
    retry.backoff = backoff;
    std::string text;
    for (std::uint32_t next = 2; next <= 5; ++next) text += backoff_delay(retry, next, 0.5).str() + " ";
    return text;
  };
  EXPECT_EQ(delays(Backoff::fixed), "2s 2s 2s 2s ");
  EXPECT_EQ(delays(Backoff::linear), "2s 4s 6s 7s ");
  EXPECT_EQ(delays(Backoff::exponential), "2s 4s 7s 7s ");
  EXPECT_EQ(delays(Backoff::none), "0s 0s 0s 0s ");
}

TEST(BackoffDelay, JitterMovesItBothWays) {
  Retry retry = retrying(9, Backoff::fixed, "10s").retry;
  retry.jitter = 0.2;
  EXPECT_EQ(backoff_delay(retry, 2, 0).str(), "8s");
  EXPECT_EQ(backoff_delay(retry, 2, 0.5).str(), "10s");
  EXPECT_EQ(backoff_delay(retry, 2, 1).str(), "12s");
}

TEST(BackoffDelay, IsBoundedHoweverOftenItDoubled) {
  const Retry retry = retrying(9, Backoff::exponential, "1h").retry;
  EXPECT_LT(backoff_delay(retry, 4'000'000, 0.5), *Duration::parse("40000d"));
}

TEST_F(PipelineTest, ARetryWaitsAsLongAsTheOtherSideAsks) {
  begin({task("a", "http", {retrying(5, Backoff::fixed, "2s")})});
  auto asked = [&](std::int64_t seconds) {
    return settle({.ok = false, .error = Value::map({{"kind", "http_429"}, {"retry_after", seconds}})});
  };
  EXPECT_EQ(asked(30), "later 30s");
  EXPECT_EQ(asked(1), "later 2s");
  EXPECT_EQ(asked(-5), "later 2s");
  EXPECT_EQ(asked(INT64_MAX), "later 1d");
}

TEST_F(PipelineTest, ValuesInACommandForAShellAreQuoted) {
  auto cmd = [&](Mapping mapping) {
    Task made = task("a", "shell");
    made.fields = {{.key = "cmd", .value = mapping}, {.key = "stdin", .value = std::move(mapping)}};
    begin({std::move(made)});
    return to_json(*stepper_->fields());
  };
  inputs_ = json(R"({"workload": {"x": "a; id", "argv": ["a", "b"]}})");
  Expression mixed = expression("workload.x");
  mixed.program = compile_template("echo {{ workload.x }}").value();
  EXPECT_EQ(cmd({mixed}), R"({"cmd":"echo 'a; id'","stdin":"echo a; id"})");
  EXPECT_EQ(cmd(computed("workload.x")), R"({"cmd":"'a; id'","stdin":"a; id"})");
  EXPECT_EQ(cmd(computed("workload.argv")), R"({"cmd":["a","b"],"stdin":["a","b"]})");
  EXPECT_EQ(cmd({Mapping::List{computed("workload.x")}}), R"({"cmd":["a; id"],"stdin":["a; id"]})");
}

}  // namespace
}  // namespace stepwell
