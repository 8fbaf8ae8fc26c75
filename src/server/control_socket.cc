#include "stepwell/server/control_socket.h"

#include <chrono>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

namespace stepwell {

namespace {

constexpr std::size_t kMostConnections = 100;
constexpr std::chrono::milliseconds kLook(100);

Value member(const Value& request, std::string_view name) {
  const Value* found = request.find(name);
  return found == nullptr ? Value() : *found;
}

}  // namespace

std::expected<std::unique_ptr<ControlSocket>, std::string> ControlSocket::open(const std::string& directory,
                                                                               Service& service) {
  auto listening = listen_control(directory);
  if (!listening) return std::unexpected(std::move(listening.error()));
  return std::unique_ptr<ControlSocket>(new ControlSocket(std::move(*listening), service));
}

ControlSocket::ControlSocket(FileHandle listening, Service& service)
    : service_(service), listening_(std::move(listening)), thread_([this] { accept_all(); }) {}

ControlSocket::~ControlSocket() {
  stopped_ = true;
  thread_.join();
  for (auto& connection : connections_) connection->thread.join();
}

void ControlSocket::accept_all() {
  while (!stopped_) {
    pollfd waiting{.fd = listening_.get(), .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, static_cast<int>(kLook.count())) <= 0) continue;
    FileHandle fd(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (fd) add(std::move(fd));
  }
}

void ControlSocket::add(FileHandle fd) {
  std::erase_if(connections_, [](const std::unique_ptr<Connection>& connection) {
    if (!connection->ended) return false;
    connection->thread.join();
    return true;
  });
  auto connection = std::make_unique<Connection>(std::move(fd));
  if (connections_.size() >= kMostConnections) {
    connection->line.send(Value::map({{"problem", problem_value({"busy", "too many connections; try again later"})}}));
    return;
  }
  Connection* raw = connection.get();
  connections_.push_back(std::move(connection));
  raw->thread = std::thread([this, raw] {
    serve(raw->line);
    raw->ended = true;
  });
}

void ControlSocket::serve(ControlLine& line) {
  while (!stopped_) {
    const auto request = line.receive(kLook);
    if (!request) break;
    if (*request && !answer(line, **request)) break;
  }
  line.hang_up();
}

bool ControlSocket::answer(ControlLine& line, const Value& request) {
  const Value id = member(request, "id");
  const Value method = member(request, "method");
  const Value params = member(request, "params");
  const Value follow = member(request, "follow");
  if (!method.is_text()) {
    line.send(Value::map({{"id", id}, {"problem", problem_value({"invalid", "a request without a method"})}}));
    return false;
  }
  Answered<> answered;
  if (follow.is_bool() && follow.as_bool()) {
    answered = service_.follow(method.as_text(), params, [&](const Value& event) {
      if (event.is_null()) return !line.is_gone();
      return line.send(Value::map({{"id", id}, {"event", event}}));
    });
  } else {
    answered = service_.call(method.as_text(), params);
  }
  return answered ? line.send(Value::map({{"id", id}, {"result", *answered}}))
                  : line.send(Value::map({{"id", id}, {"problem", problem_value(answered.error())}}));
}

}  // namespace stepwell
