#include "stepwell/server/remote_service.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "stepwell/server/control_line.h"

namespace stepwell {

namespace {

constexpr std::chrono::milliseconds kBeat(100);
// How long a process that lives may take to say so.
constexpr std::chrono::seconds kSignOfLife(5);

Problem gone(const std::string& directory, std::string_view why) {
  return {"holder_gone",
          fmt::format("the process that holds the store '{}' went away: {}. What was asked may have been "
                      "done or not; look, and ask again",
                      directory, why)};
}

}  // namespace

std::expected<std::unique_ptr<RemoteService>, std::string> RemoteService::find(const std::string& directory) {
  auto connected = connect_control(directory);
  if (!connected) return std::unexpected(connected.error());
  // The system takes connections for a process that hangs or is stopped, too.
  ControlLine line(*std::move(connected));
  if (!line.send(Value::map({{"id", 1}, {"method", "ping"}}))) return std::unexpected("it does not listen");
  const auto answer = line.receive(kSignOfLife);
  if (!answer) return std::unexpected(answer.error());
  if (!*answer) return std::unexpected(fmt::format("no sign of life within {} s", kSignOfLife.count()));
  return std::unique_ptr<RemoteService>(new RemoteService(directory));
}

Answered<> RemoteService::call(std::string_view method, const Value& params) { return ask(method, params, nullptr); }

Answered<> RemoteService::follow(std::string_view method, const Value& params, const Hear& hear) {
  return ask(method, params, &hear);
}

Answered<> RemoteService::ask(std::string_view method, const Value& params, const Hear* hear) {
  auto connected = connect_control(directory_);
  if (!connected) return std::unexpected(gone(directory_, connected.error()));
  ControlLine line(*std::move(connected));
  const Value request = Value::map({{"id", 1}, {"method", method}, {"params", params}, {"follow", hear != nullptr}});
  if (!line.send(request)) return std::unexpected(gone(directory_, "it does not listen"));
  while (true) {
    const auto message = line.receive(kBeat);
    if (!message) return std::unexpected(gone(directory_, message.error()));
    if (!*message) {
      if (hear != nullptr && !(*hear)(Value())) return Value();
      continue;
    }
    if (const Value* problem = (*message)->find("problem")) return std::unexpected(problem_from(*problem));
    if (const Value* result = (*message)->find("result")) return *result;
    const Value* event = (*message)->find("event");
    if (hear != nullptr && event != nullptr && !(*hear)(*event)) return Value();
  }
}

}  // namespace stepwell
