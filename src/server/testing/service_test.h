#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "stepwell/runtime/runtime.h"
#include "stepwell/server/local_service.h"
#include "stepwell/store/memory_store.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

// Runs attempts in no time: a step whose name begins with "bad" fails, one that begins with "slow" is never heard of,
// all others are done with {"by": step}.
class InstantWorkers final : public Workers {
 public:
  void attach(Runtime& runtime) override { runtime_ = &runtime; }

  void offer(std::vector<Offer> offers) override {
    std::vector<Report> reports;
    for (const Offer& offer : offers) {
      const std::string& step = offer.playbook->definition.steps[offer.attempt.step].name;
      if (!step.starts_with("slow")) reports.push_back({offer.id, outcome(step, offer.id.waiting_token)});
    }
    runtime_->report(std::move(reports));
  }
  void cancel(std::vector<AttemptId>) override {}

 private:
  static ReportAttempt outcome(const std::string& step, const WaitingToken& token) {
    if (!step.starts_with("bad")) {
      return {.waiting_token = token, .output = EncodedValue(Value::map({{"by", step}}))};
    }
    return {
        .waiting_token = token,
        .outcome = Outcome::failed,
        .error = Shared<RunError>(RunError{
            .error_class = ErrorClass::transport, .kind = "connection", .message = "no answer", .retryable = true})};
  }

  Runtime* runtime_ = nullptr;
};

// A service over a store in memory.
class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest() { open(); }
  ~ServiceTest() override { close(); }

  void open() {
    auto opened = Runtime::open(*store_, workers_, system_clock(), system_dice(), {});
    ASSERT_TRUE(opened) << opened.error().message;
    runtime_ = *std::move(opened);
    service_ = std::make_unique<LocalService>(Backing{*store_, *runtime_, system_clock(), system_dice()});
  }
  void close() {
    if (service_ != nullptr) service_->stop();
    if (runtime_ != nullptr) runtime_->stop();
    service_.reset();
    runtime_.reset();
  }

  static Value json(std::string_view text) { return *parse_json(text); }

  // The answer, or "code: message".
  std::string ask(std::string_view method, const std::string& params) {
    const auto answer = service_->call(method, json(params));
    return answer ? to_json(*answer) : answer.error().code + ": " + answer.error().message;
  }
  Value must(std::string_view method, const Value& params) {
    auto answer = service_->call(method, params);
    EXPECT_TRUE(answer) << method << ": " << answer.error().message;
    return answer.value_or(Value());
  }

  void add_playbook(const std::string& name, const std::string& rest) {
    const std::string source =
        "metadata: {name: " + name + "}\nexecutor: {spec: {kinds: [work], on_failure: suspend}}\n" + rest;
    must("playbooks.register", Value::map({{"source", source}}));
  }
  void start(const std::string& playbook, const std::string& id, const std::string& input = "{}") {
    must("executions.start", Value::map({{"playbook", playbook}, {"id", id}, {"input", json(input)}}));
  }
  // Waits until it has ended, or until nothing but somebody outside moves it; answers the types of its events.
  std::vector<std::string> run_to_rest(const std::string& id) {
    std::vector<std::string> types;
    const auto done = service_->follow("executions.events", Value::map({{"execution", id}, {"rests", true}}),
                                       [&](const Value& event) {
                                         if (const Value* rest = event.find("rest"))
                                           return rest->find("moves")->as_bool();
                                         if (const Value* type = event.find("type"))
                                           types.emplace_back(type->as_text());
                                         return true;
                                       });
    EXPECT_TRUE(done) << done.error().message;
    return types;
  }
  std::string status(const std::string& id) {
    const Value got = must("executions.get", Value::map({{"execution", id}}));
    const Value* found = got.find("status");
    return found == nullptr ? "" : std::string(found->as_text());
  }

  std::unique_ptr<Store> store_ = open_memory_store();
  InstantWorkers workers_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<LocalService> service_;
};

}  // namespace stepwell
