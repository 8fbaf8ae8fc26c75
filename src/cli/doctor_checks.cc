#include "stepwell/cli/doctor_checks.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "stepwell/cli/stamp.h"
#include "stepwell/cli/store_choice.h"
#include "stepwell/server/remote_service.h"
#include "stepwell/store/embedded/embedded_store.h"

namespace stepwell::cli {
namespace {

namespace fs = std::filesystem;
using Verdict = Finding::Verdict;

constexpr std::uint64_t kLittleSpace = 1ULL << 30;
constexpr std::uint64_t kNoSpace = 64ULL << 20;
constexpr rlim_t kFewFiles = 1'024;

// The directory itself, or the nearest one above it that exists.
std::string existing(const std::string& directory) {
  fs::path path(directory);
  std::error_code ignored;
  while (!fs::exists(path, ignored) && path.has_relative_path()) path = path.parent_path();
  return path.string();
}

Finding check_store(const std::string& directory) {
  const auto store = open_embedded_store(directory, {.create = false});
  if (store) return {Verdict::good, "lock", "nobody else holds the store"};
  switch (store.error().kind) {
    case StoreError::Kind::held: {
      const auto holder = RemoteService::find(directory);
      return holder ? Finding{Verdict::good, "lock", store.error().message + ", which answers"}
                    : Finding{Verdict::bad, "lock", store.error().message + ", which does not answer",
                              "end that process; nothing that was accepted is lost"};
    }
    case StoreError::Kind::corrupt:
      return {Verdict::bad, "store", store.error().message, "take the latest backup, and keep this one to look at"};
    case StoreError::Kind::full: return {Verdict::bad, "store", store.error().message, "make space"};
    case StoreError::Kind::failed:
    case StoreError::Kind::unknown:
    case StoreError::Kind::fenced:
    case StoreError::Kind::invalid: break;
  }
  return {Verdict::bad, "store", store.error().message};
}

Finding check_space(const std::string& directory) {
  struct statvfs disk = {};
  if (statvfs(directory.c_str(), &disk) != 0) {
    return {Verdict::bad, "disk", fmt::format("'{}' cannot be looked at", directory)};
  }
  const std::uint64_t free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  const std::string found = fmt::format("{} MiB free", free >> 20);
  if (free < kNoSpace) return {Verdict::bad, "disk", found, "make space: nothing is accepted on a full disk"};
  if (free < kLittleSpace) return {Verdict::odd, "disk", found, "make space before it is full"};
  return {Verdict::good, "disk", found};
}

Finding check_direct(const std::string& directory) {
  const std::string path = fmt::format("{}/.doctor.{}", directory, getpid());
  const int fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_DIRECT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const int error = errno;
  if (fd >= 0) ::close(fd);
  ::unlink(path.c_str());
  if (fd >= 0) return {Verdict::good, "file system", "takes direct writes"};
  if (error == EINVAL) {
    return {Verdict::odd, "file system", "takes no direct writes", "commits are slower here, and as safe"};
  }
  return {Verdict::bad, "file system", fmt::format("'{}': {}", directory, std::generic_category().message(error)),
          "make it writable for you, or choose another --store"};
}

Finding check_clock() {
  const Instant now = fresh_stamp().time;
  constexpr std::int64_t kSensible = 1'735'689'600'000'000;  // 2025-01-01
  if (now.micros() > kSensible) return {Verdict::good, "clock", now.str()};
  return {Verdict::bad, "clock", now.str(), "set it: timers follow this clock"};
}

Finding check_files() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  const std::string found = fmt::format("{} open files", limit.rlim_cur);
  if (limit.rlim_cur < kFewFiles) return {Verdict::odd, "limits", found, "`ulimit -n 4096` for many attempts at once"};
  return {Verdict::good, "limits", found};
}

std::string find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = fmt::format("{}/{}", rest.substr(0, colon), name);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

Finding check_program(std::string_view name, std::string_view used_by) {
  const std::string found = find_program(name);
  if (!found.empty()) return {Verdict::good, std::string(name), found};
  return {Verdict::odd, std::string(name), "not found", fmt::format("install it to use {}", used_by)};
}

}  // namespace

std::vector<Finding> examine(Call& call) {
  std::vector<Finding> findings;
  const auto choice = choose_store(call);
  if (!choice) return {{Verdict::bad, "store", choice.error()}};
  if (choice->directory.empty()) {
    findings.push_back({Verdict::good, "store", fmt::format("in memory ({})", choice->because)});
  } else {
    std::error_code ignored;
    const bool exists = fs::exists(choice->directory, ignored);
    findings.push_back(
        {Verdict::good, "store",
         fmt::format("{} ({}){}", choice->directory, choice->because, exists ? "" : ", made when it is needed")});
    const std::string place = existing(choice->directory);
    if (exists) findings.push_back(check_store(choice->directory));
    findings.push_back(check_space(place));
    findings.push_back(check_direct(place));
  }
  findings.push_back(check_clock());
  findings.push_back(check_files());
  findings.push_back(check_program("sh", "the tool shell"));
  findings.push_back(check_program("python3", "the tool python"));
  findings.push_back(check_program("node", "the tool node"));
  findings.push_back(check_program("dot", "`stepwell graph --svg`"));
  return findings;
}

}  // namespace stepwell::cli
