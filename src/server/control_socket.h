#pragma once

#include <atomic>
#include <expected>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "stepwell/server/control_line.h"
#include "stepwell/server/service.h"

namespace stepwell {

// Answers on the control socket of a store, for the process that holds it. A thread accepts; each connection has a
// thread of its own, and there are at most a hundred.
class ControlSocket {
 public:
  // Listens from now on. Borrows the service.
  static std::expected<std::unique_ptr<ControlSocket>, std::string> open(const std::string& directory,
                                                                         Service& service);
  // Waits for calls that are being answered, and hangs up on everybody. The service must have been told to stop, or it
  // waits for those who follow.
  ~ControlSocket();

 private:
  struct Connection {
    explicit Connection(FileHandle fd) : line(std::move(fd)) {}
    ControlLine line;
    std::atomic<bool> ended = false;
    std::thread thread = {};
  };

  ControlSocket(FileHandle listening, Service& service);
  void accept_all();
  void add(FileHandle fd);
  void serve(ControlLine& line);
  bool answer(ControlLine& line, const Value& request);

  Service& service_;
  FileHandle listening_;
  std::atomic<bool> stopped_ = false;
  std::list<std::unique_ptr<Connection>> connections_;  // of the accepting thread, then of the destructor
  std::thread thread_;
};

}  // namespace stepwell
