#include "stepwell/tools/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stepwell/base/check.h"
#include "stepwell/tools/child_groups.h"

namespace stepwell {
namespace {

using std::chrono::steady_clock;

// Between SIGTERM and SIGKILL.
constexpr auto kGrace = std::chrono::seconds(2);
// Where a program with an answer writes it.
constexpr int kAnswer = 3;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

std::string reason(int error) { return std::generic_category().message(error); }

// One output of the child, and what came out of it.
struct Output {
  Descriptor ours;
  Descriptor theirs;
  std::string* text = nullptr;
  bool shown = false;

  bool open() {
    std::array<int, 2> ends = {};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    ours = Descriptor(ends[0]);
    theirs = Descriptor(ends[1]);
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
  }
};

// A file without a name, so that neither side ever waits for the other to read, and nobody is signalled if none does.
Descriptor input_file(const std::string& input) {
  if (input.empty()) return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Descriptor file(memfd_create("stepwell-input", MFD_CLOEXEC));
  std::string_view rest = input;
  while (file && !rest.empty()) {
    const ssize_t written = write(file.number(), rest.data(), rest.size());
    if (written < 0) return {};
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file) lseek(file.number(), 0, SEEK_SET);
  return file;
}

// The C form of a list of texts.
class CStrings {
 public:
  explicit CStrings(std::vector<std::string> texts) : texts_(std::move(texts)) {
    pointers_.reserve(texts_.size() + 1);
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

std::vector<std::string> assignments(const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> all;
  all.reserve(environment.size());
  for (const auto& [name, value] : environment) all.push_back(name + "=" + value);
  return all;
}

// The file that a word names, as a shell would find it.
std::optional<std::string> find_program(const ChildProgram& program) {
  const std::string& word = program.argv[0];
  if (word.contains('/')) return word;
  const auto path = std::ranges::find(program.environment, "PATH", [](const auto& each) { return each.first; });
  std::string_view rest = path == program.environment.end() ? "/usr/bin:/bin" : std::string_view(path->second);
  while (!word.empty()) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    std::string file = fmt::format("{}/{}", directory.empty() ? "." : directory, word);
    if (access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return file;
    if (directory.size() == rest.size()) break;
    rest.remove_prefix(directory.size() + 1);
  }
  return std::nullopt;
}

class Child {
 public:
  explicit Child(const ChildProgram& program) : program_(program) {}

  std::expected<ChildEnd, std::string> run();

 private:
  std::expected<void, std::string> start();
  int spawn(const std::string& file, const Descriptor& input);
  void watch();
  // Asks for the end of the whole group; the first reason stays.
  void end(ChildEnd::Why why);
  void look_at_time();
  bool read_some(Output& output);
  void drain();
  int wait_for() const;
  void reap();

  const ChildProgram& program_;
  ChildEnd end_;
  std::vector<Output> outputs_;
  Descriptor process_;
  Descriptor stopped_;
  pid_t pid_ = 0;
  std::optional<ToolTime> kill_at_;
  bool ending_ = false;
};

std::expected<ChildEnd, std::string> Child::run() {
  if (auto started = start(); !started) return std::unexpected(std::move(started.error()));
  const KnownGroup known(pid_);
  const std::stop_callback stop(program_.stop, [this] { eventfd_write(stopped_.number(), 1); });
  watch();
  drain();
  reap();
  return std::move(end_);
}

std::expected<void, std::string> Child::start() {
  CHECK(!program_.argv.empty());
  const auto file = find_program(program_);
  if (!file) return std::unexpected(fmt::format("there is no program '{}' in PATH", program_.argv[0]));
  if (!program_.directory.empty() && !std::filesystem::is_directory(program_.directory)) {
    return std::unexpected(fmt::format("there is no directory '{}'", program_.directory));
  }
  outputs_.resize(program_.answers ? 3 : 2);
  const std::array<std::string*, 3> texts = {&end_.output, &end_.errors, &end_.answer};
  bool fine = true;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    outputs_[i].text = texts[i];
    outputs_[i].shown = i < 2;
    fine = fine && outputs_[i].open();
  }
  stopped_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const Descriptor input = input_file(program_.input);
  if (!fine || !stopped_ || !input) return std::unexpected(fmt::format("cannot make a pipe: {}", reason(errno)));
  if (const int error = spawn(*file, input); error != 0) {
    return std::unexpected(fmt::format("cannot start '{}': {}", program_.argv[0], reason(error)));
  }
  for (Output& output : outputs_) output.theirs.close();
  process_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  CHECK(process_);
  return {};
}

int Child::spawn(const std::string& file, const Descriptor& input) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.number(), STDIN_FILENO);
  const std::array<int, 3> numbers = {STDOUT_FILENO, STDERR_FILENO, kAnswer};
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    posix_spawn_file_actions_adddup2(&actions, outputs_[i].theirs.number(), numbers[i]);
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, program_.answers ? kAnswer + 1 : kAnswer);
  if (!program_.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, program_.directory.c_str());

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  const CStrings argv(program_.argv);
  const CStrings environment(assignments(program_.environment));
  const int error = posix_spawn(&pid_, file.c_str(), &actions, &attributes, argv.get(), environment.get());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Until its first process has ended. Others of its group may hold the pipes open for as long as they like.
void Child::watch() {
  while (true) {
    std::vector<pollfd> polled = {{process_.number(), POLLIN, 0}, {ending_ ? -1 : stopped_.number(), POLLIN, 0}};
    for (const Output& output : outputs_) polled.push_back({output.ours.number(), POLLIN, 0});
    poll(polled.data(), polled.size(), wait_for());
    if (polled[1].revents != 0) end(ChildEnd::Why::stopped);
    look_at_time();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (polled[i + 2].revents != 0) read_some(outputs_[i]);
    }
    if (polled[0].revents != 0) return;
  }
}

int Child::wait_for() const {
  const std::optional<ToolTime> next = ending_ ? kill_at_ : program_.deadline;
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - steady_clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

void Child::look_at_time() {
  const ToolTime now = steady_clock::now();
  if (program_.deadline && now >= *program_.deadline) end(ChildEnd::Why::timed_out);
  if (kill_at_ && now >= *kill_at_) {
    kill(-pid_, SIGKILL);
    kill_at_.reset();
  }
}

void Child::end(ChildEnd::Why why) {
  if (ending_) return;
  ending_ = true;
  end_.why = why;
  kill(-pid_, SIGTERM);
  kill_at_ = steady_clock::now() + kGrace;
}

// Whether there may be more.
bool Child::read_some(Output& output) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(output.ours.number(), buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  if (count == 0) {
    output.ours.close();
    return false;
  }
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
  const std::size_t room = program_.output_bytes - std::min(output.text->size(), program_.output_bytes);
  *output.text += bytes.substr(0, room);
  if (bytes.size() > room) end(ChildEnd::Why::too_large);
  if (output.shown && program_.progress) program_.progress(bytes);
  return true;
}

// What was written before the end, without waiting for more. As long as the child is not waited for, its number stands
// for its group and for nothing else, so what is left of the group can be killed.
void Child::drain() {
  kill(-pid_, SIGKILL);
  for (Output& output : outputs_) {
    while (output.ours && read_some(output)) {
    }
  }
}

void Child::reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) CHECK(errno == EINTR);
  if (ending_) return;
  end_.why = WIFEXITED(status) ? ChildEnd::Why::exited : ChildEnd::Why::killed;
  end_.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

}  // namespace

std::expected<ChildEnd, std::string> run_child(const ChildProgram& program) { return Child(program).run(); }

std::vector<std::pair<std::string, std::string>> base_environment() {
  std::vector<std::pair<std::string, std::string>> environment;
  for (const char* name : {"PATH", "HOME", "LANG"}) {
    if (const char* value = std::getenv(name)) environment.emplace_back(name, value);
  }
  return environment;
}

}  // namespace stepwell
