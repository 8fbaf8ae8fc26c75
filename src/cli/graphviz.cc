#include "stepwell/cli/graphviz.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stepwell::cli {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// Files, not pipes: neither side can ever wait for the other to read.
File nameless_file() {
  File file(std::tmpfile());
  if (file) fcntl(fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

std::string all_of(std::FILE* file) {
  std::string bytes;
  std::array<char, 1 << 16> buffer;
  std::rewind(file);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file))
    bytes.append(buffer.data(), count);
  return bytes;
}

std::unexpected<std::string> failed(std::string_view what, int error) {
  return std::unexpected(fmt::format("{}: {}", what, std::generic_category().message(error)));
}

int spawn_dot(pid_t& child, std::FILE* in, std::FILE* out, std::FILE* err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
  std::array<std::string, 2> words = {"dot", "-Tsvg"};
  std::array<char*, 3> arguments = {words[0].data(), words[1].data(), nullptr};
  const int error = posix_spawnp(&child, "dot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

std::expected<std::string, std::string> draw_svg(const std::string& graph) {
  const File in = nameless_file();
  const File out = nameless_file();
  const File err = nameless_file();
  if (!in || !out || !err) return failed("cannot make a temporary file", errno);
  if (std::fwrite(graph.data(), 1, graph.size(), in.get()) != graph.size() || std::fflush(in.get()) != 0) {
    return failed("cannot write a temporary file", errno);
  }
  std::rewind(in.get());

  pid_t child = 0;
  const int error = spawn_dot(child, in.get(), out.get(), err.get());
  if (error == ENOENT) {
    return std::unexpected(
        "Graphviz's program 'dot' draws the picture, and it is not installed; "
        "install the package graphviz, or take --dot or --mermaid");
  }
  if (error != 0) return failed("cannot start Graphviz's program 'dot'", error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return failed("cannot wait for Graphviz's program 'dot'", errno);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return std::unexpected(fmt::format("Graphviz's program 'dot' failed: {}", all_of(err.get())));
  }
  return all_of(out.get());
}

}  // namespace stepwell::cli
