#include "stepwell/cli/session.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "stepwell/cli/problem.h"
#include "stepwell/runtime/clock.h"
#include "stepwell/server/control_socket.h"
#include "stepwell/server/engine.h"
#include "stepwell/server/local_service.h"
#include "stepwell/server/remote_service.h"

namespace stepwell::cli {

namespace {

constexpr std::chrono::seconds kHolderPatience(5);
constexpr std::chrono::milliseconds kHolderPause(20);

Backing backing_of(Engine& engine) {
  return {.store = engine.store(),
          .runtime = engine.runtime(),
          .clock = system_clock(),
          .dice = system_dice(),
          .put_away = [&engine](const Value& value, std::int64_t most) { return engine.put_away(value, most); }};
}

// How many shards the store must have, or gets if it is new; 0: not said.
std::expected<std::uint32_t, std::string> wanted_shards() {
  constexpr std::uint32_t kMost = 1'024;
  const char* variable = std::getenv("STEPWELL_SHARDS");
  if (variable == nullptr) return 0;
  const std::string_view text = variable;
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.begin(), text.end(), number);
  if (read.ec == std::errc() && read.ptr == text.end() && number >= 1 && number <= kMost) return number;
  return std::unexpected(fmt::format("STEPWELL_SHARDS is a number from 1 to {}, not '{}'", kMost, text));
}

}  // namespace

struct Session::Held {
  std::unique_ptr<Engine> engine;
  std::unique_ptr<LocalService> service;
  std::unique_ptr<ControlSocket> socket;

  // Others are sent away before the engine stops to answer.
  void stop() {
    service->stop();
    socket.reset();
    engine->stop();
  }
};

Session::Session() = default;
Session::~Session() { close(); }

Service& Session::service() { return held_ != nullptr ? *held_->service : *remote_; }

void Session::close() {
  if (held_ != nullptr) held_->stop();
}

std::expected<std::unique_ptr<Session>, Problem> Session::hold(Call& call, const StoreChoice& choice, Use use) {
  EngineOptions options{.store = choice.directory.empty() ? "memory" : choice.directory,
                        .create = use != Use::look,
                        .drive = use == Use::drive};
  options.runtime.problem = [&call](std::string_view text) { report(call, text); };
  const auto shards = wanted_shards();
  if (!shards) return std::unexpected(Problem{"invalid", shards.error()});
  options.runtime.shards = *shards;
  auto engine = Engine::open(std::move(options));
  if (!engine) return std::unexpected(problem_of(engine.error()));
  auto held = std::make_unique<Held>();
  held->engine = *std::move(engine);
  held->service = std::make_unique<LocalService>(backing_of(*held->engine));
  if (use == Use::drive && !choice.directory.empty()) {
    auto socket = ControlSocket::open(choice.directory, *held->service);
    if (!socket) report(call, socket.error() + "; other commands cannot reach this one");
    if (socket) held->socket = *std::move(socket);
  }
  std::unique_ptr<Session> session(new Session);
  session->held_ = std::move(held);
  return session;
}

std::expected<std::unique_ptr<Session>, Problem> Session::open(Call& call, Use use) {
  const auto choice = choose_store(call);
  if (!choice) return std::unexpected(Problem{"invalid", choice.error()});
  const auto deadline = std::chrono::steady_clock::now() + kHolderPatience;
  while (true) {
    auto held = hold(call, *choice, use);
    if (held || held.error().code != "store_held") return held;
    auto remote = RemoteService::find(choice->directory);
    if (remote) {
      std::unique_ptr<Session> session(new Session);
      session->remote_ = *std::move(remote);
      return session;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      return std::unexpected(
          Problem{"store_held", fmt::format("{}, which does not answer: {}", held.error().message, remote.error())});
    }
    std::this_thread::sleep_for(kHolderPause);
  }
}

Asked ask(Call& call, Use use, std::string_view method, const Value& params) {
  auto session = Session::open(call, use);
  if (!session) return {std::unexpected(session.error()), report(call, session.error())};
  auto answer = (*session)->service().call(method, params);
  const ExitCode code = answer ? ExitCode::ok : report(call, answer.error());
  return {std::move(answer), code};
}

}  // namespace stepwell::cli
