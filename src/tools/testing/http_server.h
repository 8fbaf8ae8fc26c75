#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stepwell/base/check.h"

namespace stepwell::testing {

// A small HTTP server on a port of its own on loopback, for as long as a test lasts. One thread answers one request
// after the other; each connection carries one.
class HttpServer {
 public:
  // Takes the head and the body of a request and gives all bytes of the answer. Nothing at all means that it never
  // answers: the connection stays open until the server goes.
  using Answer = std::function<std::string(const std::string& head, const std::string& body)>;

  explicit HttpServer(Answer answer) : answer_(std::move(answer)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof address;
    CHECK(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(listener_, 64) == 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    closed_ = true;
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
    for (const int connection : silent_) close(connection);
  }

  std::string url(const std::string& path) const { return "http://127.0.0.1:" + std::to_string(port_) + path; }

  // A plain answer.
  static std::string respond(const std::string& status, const std::string& body, const std::string& headers = "") {
    return "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
           headers + "\r\n" + body;
  }

 private:
  void serve() {
    while (!closed_) {
      const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) continue;
      const std::string reply = answer_one(connection);
      if (reply.empty()) {
        silent_.push_back(connection);
        continue;
      }
      send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
      shutdown(connection, SHUT_WR);
      close(connection);
    }
  }

  std::string answer_one(int connection) {
    std::string bytes;
    std::size_t head = std::string::npos;
    std::size_t length = 0;
    while (head == std::string::npos || bytes.size() < head + 4 + length) {
      char buffer[4096];
      const ssize_t count = recv(connection, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      bytes.append(buffer, static_cast<std::size_t>(count));
      if (head != std::string::npos) continue;
      head = bytes.find("\r\n\r\n");
      const std::size_t at = bytes.find("Content-Length: ");
      if (head != std::string::npos && at < head) length = std::stoul(bytes.substr(at + 16));
    }
    if (head == std::string::npos) return respond("400 Bad Request", "");
    return answer_(bytes.substr(0, head + 2), bytes.substr(head + 4));
  }

  Answer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> closed_ = false;
  std::vector<int> silent_;
  std::thread thread_;
};

}  // namespace stepwell::testing
