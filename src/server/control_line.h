#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "stepwell/server/service.h"
#include "stepwell/store/embedded/file.h"
#include "stepwell/value/value.h"

// How the control socket is spoken (docs/reference/service.md): JSON values, one on a line, over a Unix socket in the
// directory of the store.
//
//   -> {"id": 1, "method": "executions.get", "params": {"execution": "..."}}      {"follow": true} for a stream
//   <- {"id": 1, "event": ...}*  then  {"id": 1, "result": ...}  or  {"id": 1, "problem": {"code", "message"}}
namespace stepwell {

// Listens on the control socket of a store, or connects to it; or says why not. Directories may be deeper than the
// address of a socket is long.
std::expected<FileHandle, std::string> listen_control(const std::string& directory);
std::expected<FileHandle, std::string> connect_control(const std::string& directory);

// One end of a connection. Not for use by several threads at once.
class ControlLine {
 public:
  explicit ControlLine(FileHandle fd) : fd_(std::move(fd)) {}

  // False: the other side is gone, or has not read for long.
  bool send(const Value& message);

  // The next message; nothing if none has come in that time. An error: the other side is gone, or speaks nonsense.
  std::expected<std::optional<Value>, std::string> receive(std::chrono::milliseconds at_most);

  // Whether the other side has hung up.
  bool is_gone() const;
  // The other side hears nothing more, and is not heard.
  void hang_up() const;

 private:
  FileHandle fd_;
  std::string received_;
  std::size_t searched_ = 0;  // no end of a line up to here
};

Value problem_value(const Problem& problem);
Problem problem_from(const Value& value);

}  // namespace stepwell
