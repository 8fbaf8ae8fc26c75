// Preloaded into the program, it counts the calls that change files, and ends the process at the one whose number is in
// KILL_AT as kill -9 would: a write is left half done. Without KILL_AT it tells how many calls there were, in the file
// that KILL_COUNT names.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::atomic<long> calls = 0;

long kill_at() {
  static const char* const text = std::getenv("KILL_AT");
  static const long number = text == nullptr ? 0 : std::atol(text);
  return number;
}

bool is_the_one() { return ++calls == kill_at(); }

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  std::abort();
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Told {
  ~Told() {
    if (const char* path = std::getenv("KILL_COUNT"); path != nullptr) std::ofstream(path) << calls;
  }
} told;

ssize_t write_at(const char* name, int file, const void* bytes, size_t count, off_t offset) {
  static auto* const real = next<decltype(pwrite)>(name);
  if (!is_the_one()) return real(file, bytes, count, offset);
  (void)real(file, bytes, count / 2, offset);
  die();
}

}  // namespace

extern "C" {

ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
  return write_at("pwrite", file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t offset) {
  return write_at("pwrite64", file, bytes, count, offset);
}
int fsync(int file) {
  static auto* const real = next<decltype(fsync)>("fsync");
  return is_the_one() ? (die(), 0) : real(file);
}
int fdatasync(int file) {
  static auto* const real = next<decltype(fdatasync)>("fdatasync");
  return is_the_one() ? (die(), 0) : real(file);
}
int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<decltype(rename)>("rename");
  return is_the_one() ? (die(), 0) : real(from, to);
}
int unlink(const char* path) noexcept {
  static auto* const real = next<decltype(unlink)>("unlink");
  return is_the_one() ? (die(), 0) : real(path);
}
int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const real = next<decltype(mkdir)>("mkdir");
  return is_the_one() ? (die(), 0) : real(path, mode);
}
int ftruncate64(int file, off64_t length) noexcept {
  static auto* const real = next<decltype(ftruncate64)>("ftruncate64");
  return is_the_one() ? (die(), 0) : real(file, length);
}

}  // extern "C"
