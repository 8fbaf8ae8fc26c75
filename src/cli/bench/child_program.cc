#include "stepwell/cli/bench/child_program.h"

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stepwell::cli {

std::expected<ChildProgram, std::string> ChildProgram::start(const std::string& program,
                                                             std::vector<std::string> arguments,
                                                             const std::string& out) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t id = -1;
  const int error = posix_spawn(&id, program.c_str(), &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error == 0) return ChildProgram(id);
  return std::unexpected(fmt::format("cannot start '{}': {}", program, std::generic_category().message(error)));
}

ChildProgram::ChildProgram(ChildProgram&& other) noexcept : id_(std::exchange(other.id_, -1)), status_(other.status_) {}

ChildProgram::~ChildProgram() {
  if (id_ < 0) return;
  signal(SIGKILL);
  wait();
}

bool ChildProgram::ended() {
  if (id_ >= 0 && waitpid(id_, &status_, WNOHANG) == id_) id_ = -1;
  return id_ < 0;
}

int ChildProgram::wait() {
  while (id_ >= 0 && waitpid(id_, &status_, 0) != id_ && errno == EINTR) continue;
  id_ = -1;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

void ChildProgram::signal(int number) const {
  if (id_ >= 0) kill(id_, number);
}

}  // namespace stepwell::cli
