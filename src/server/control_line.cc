#include "stepwell/server/control_line.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

namespace {

constexpr const char* kName = "control.sock";
constexpr int kBacklog = 64;
constexpr std::size_t kPiece = 1U << 16;
constexpr std::size_t kMostBytes = 256U << 20;  // of one message
constexpr timeval kSendPatience = {.tv_sec = 10, .tv_usec = 0};

std::string failed(std::string_view what, const std::string& directory) {
  return fmt::format("cannot {} '{}/{}': {}", what, directory, kName, std::generic_category().message(errno));
}

// The address of the socket. A path of more than 107 bytes does not fit into one, but a way through the open directory
// does; it is good as long as `open_directory` is.
struct Address {
  sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = {}};
  FileHandle open_directory = {};
};

std::expected<Address, std::string> address_of(const std::string& directory) {
  Address address;
  std::string path = directory + "/" + kName;
  if (path.size() >= sizeof address.name.sun_path) {
    address.open_directory = FileHandle(open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!address.open_directory) return std::unexpected(failed("reach", directory));
    path = fmt::format("/proc/self/fd/{}/{}", address.open_directory.get(), kName);
  }
  std::memcpy(address.name.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* as_name(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.name); }

FileHandle new_socket() { return FileHandle(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

}  // namespace

std::expected<FileHandle, std::string> listen_control(const std::string& directory) {
  const auto address = address_of(directory);
  if (!address) return std::unexpected(address.error());
  // Who listens holds the store, so a socket that is there is of a holder that died.
  unlink(address->name.sun_path);
  FileHandle fd = new_socket();
  // Until it listens nobody can connect; from the first moment on only its owner can.
  if (!fd || bind(fd.get(), as_name(*address), sizeof address->name) != 0 ||
      chmod(address->name.sun_path, S_IRUSR | S_IWUSR) != 0 || listen(fd.get(), kBacklog) != 0) {
    return std::unexpected(failed("listen on", directory));
  }
  return fd;
}

std::expected<FileHandle, std::string> connect_control(const std::string& directory) {
  const auto address = address_of(directory);
  if (!address) return std::unexpected(address.error());
  FileHandle fd = new_socket();
  if (!fd || connect(fd.get(), as_name(*address), sizeof address->name) != 0) {
    return std::unexpected(failed("connect to", directory));
  }
  return fd;
}

bool ControlLine::send(const Value& message) {
  std::string text = to_json(message);
  text += '\n';
  setsockopt(fd_.get(), SOL_SOCKET, SO_SNDTIMEO, &kSendPatience, sizeof kSendPatience);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t sent = ::send(fd_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::expected<std::optional<Value>, std::string> ControlLine::receive(std::chrono::milliseconds at_most) {
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  while (true) {
    const std::size_t end = received_.find('\n', searched_);
    if (end != std::string::npos) {
      auto value = parse_json(std::string_view(received_).substr(0, end), {.bytes = kMostBytes});
      received_.erase(0, end + 1);
      searched_ = 0;
      if (!value) return std::unexpected(value.error().to_string());
      return *std::move(value);
    }
    searched_ = received_.size();
    if (received_.size() > kMostBytes) return std::unexpected("a message without an end");
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max(left, std::chrono::milliseconds(0)).count()));
    if (ready == 0 || (ready < 0 && errno == EINTR)) return std::nullopt;
    char piece[kPiece];
    const ssize_t got = recv(fd_.get(), piece, sizeof piece, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::unexpected(got == 0 ? "it hung up" : std::generic_category().message(errno));
    received_.append(piece, static_cast<std::size_t>(got));
  }
}

bool ControlLine::is_gone() const {
  char byte = 0;
  return recv(fd_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void ControlLine::hang_up() const { shutdown(fd_.get(), SHUT_RDWR); }

Value problem_value(const Problem& problem) {
  return Value::map({{"code", problem.code}, {"message", problem.message}});
}

Problem problem_from(const Value& value) {
  const auto text = [&](std::string_view name) {
    const Value* found = value.find(name);
    return found != nullptr && found->is_text() ? std::string(found->as_text()) : std::string();
  };
  return {text("code"), text("message")};
}

}  // namespace stepwell
