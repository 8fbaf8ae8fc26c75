#include "stepwell/server/control_socket.h"

#include <filesystem>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <unistd.h>

#include "stepwell/server/remote_service.h"
#include "stepwell/server/testing/service_test.h"

namespace stepwell {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class ControlSocketTest : public ServiceTest {
 protected:
  ControlSocketTest() { std::filesystem::create_directories(directory_); }
  ~ControlSocketTest() override {
    hang_up();
    std::filesystem::remove_all(top_);
  }

  void listen() {
    auto opened = ControlSocket::open(directory_, *service_);
    ASSERT_TRUE(opened) << opened.error();
    socket_ = *std::move(opened);
  }
  void hang_up() {
    if (service_ != nullptr) service_->stop();
    socket_.reset();
  }
  std::unique_ptr<RemoteService> find() {
    auto found = RemoteService::find(directory_);
    EXPECT_TRUE(found) << found.error();
    return found ? *std::move(found) : nullptr;
  }

  const std::filesystem::path top_ =
      std::filesystem::path(::testing::TempDir()) / ("control_" + std::to_string(::getpid()));
  std::string directory_ = top_.string();
  std::unique_ptr<ControlSocket> socket_;
};

TEST_F(ControlSocketTest, AnotherProcessAsksAsTheHolderWould) {
  listen();
  add_playbook("wait", "workflow:\n  - {step: paid, type: wait, signal: paid}\n");
  const auto remote = find();
  const auto started = remote->call("executions.start", json(R"({"playbook": "wait", "id": "e1"})"));
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_EQ(status("e1"), "waiting");
  const auto refused = remote->call("executions.get", json(R"({"execution": "none"})"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "not_found");
}

TEST_F(ControlSocketTest, EventsAreFollowedUntilTheEnd) {
  listen();
  add_playbook("wait", "workflow:\n  - {step: paid, type: wait, signal: paid}\n");
  start("wait", "e1");
  std::promise<void> waits;
  auto types = std::async(std::launch::async, [&] {
    std::vector<std::string> heard;
    const auto followed = find()->follow("executions.events", json(R"({"execution": "e1"})"), [&](const Value& event) {
      if (event.is_null()) return true;
      heard.emplace_back(event.find("type")->as_text());
      if (heard.back() == "signal_awaited") waits.set_value();
      return true;
    });
    EXPECT_TRUE(followed) << followed.error().message;
    return heard;
  });
  waits.get_future().wait();
  ASSERT_TRUE(find()->call("executions.signal", json(R"({"execution": "e1", "name": "paid"})")));
  EXPECT_THAT(types.get(), Contains("workflow_completed"));
}

TEST_F(ControlSocketTest, WhoHasHeardEnoughIsLetGo) {
  listen();
  add_playbook("wait", "workflow:\n  - {step: paid, type: wait, signal: paid}\n");
  start("wait", "e1");
  int heard = 0;
  const auto followed = find()->follow("executions.events", json(R"({"execution": "e1"})"),
                                       [&](const Value& event) { return event.is_null() || ++heard < 2; });
  EXPECT_TRUE(followed);
  EXPECT_EQ(heard, 2);
}

TEST_F(ControlSocketTest, AHolderThatGoesAwayIsNamed) {
  listen();
  add_playbook("wait", "workflow:\n  - {step: paid, type: wait, signal: paid}\n");
  start("wait", "e1");
  const auto remote = find();
  bool hung_up = false;
  const auto followed = remote->follow("executions.events", json(R"({"execution": "e1"})"), [&](const Value& event) {
    if (event.is_null() && !std::exchange(hung_up, true)) hang_up();
    return true;
  });
  ASSERT_FALSE(followed);
  const auto called = remote->call("executions.list", json("{}"));
  ASSERT_FALSE(called);
  EXPECT_EQ(called.error().code, "holder_gone");
  EXPECT_THAT(called.error().message, HasSubstr(directory_));
}

TEST_F(ControlSocketTest, ADirectoryMayBeDeeperThanAnAddressIsLong) {
  directory_ = (top_ / std::string(100, 'a') / std::string(100, 'b')).string();
  std::filesystem::create_directories(directory_);
  listen();
  EXPECT_TRUE(find()->call("executions.list", json("{}")));
}

TEST_F(ControlSocketTest, WhatADeadHolderLeftBehindIsReplaced) {
  listen();
  hang_up();
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/control.sock"));
  EXPECT_FALSE(RemoteService::find(directory_));
  listen();
  EXPECT_TRUE(find()->call("executions.list", json("{}")));
}

TEST_F(ControlSocketTest, NonsenseEndsOnlyItsOwnConnection) {
  listen();
  auto connected = connect_control(directory_);
  ASSERT_TRUE(connected);
  ControlLine line(*std::move(connected));
  ASSERT_TRUE(line.send(json(R"({"id": 7, "methud": "x"})")));
  const auto answer = line.receive(std::chrono::seconds(30));
  ASSERT_TRUE(answer && *answer);
  EXPECT_THAT(to_json(**answer), HasSubstr("a request without a method"));
  EXPECT_TRUE(find()->call("executions.list", json("{}")));
}

}  // namespace
}  // namespace stepwell
