#include "stepwell/cli/input.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <istream>
#include <system_error>

#include <fmt/format.h>

#include "stepwell/base/limits.h"

namespace stepwell::cli {
namespace {

std::unexpected<std::string> unreadable(const std::string& path, int error) {
  return std::unexpected(fmt::format("cannot read '{}': {}", path, std::generic_category().message(error)));
}

}  // namespace

std::expected<std::string, std::string> read_input(const std::string& path, std::istream& in) {
  if (path == "-") return read_all(in);
  // A directory opens like a file, and then reads as if it were empty.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return unreadable(path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path, errno);
  std::string bytes = read_all(file);
  if (file.bad()) return unreadable(path, EIO);
  return bytes;
}

std::string read_all(std::istream& in) {
  constexpr std::size_t kEnough = limits::kDocumentBytes + 1;
  std::string bytes;
  char piece[1 << 16];
  while (bytes.size() < kEnough && (in.read(piece, sizeof piece) || in.gcount() > 0)) {
    bytes.append(piece, static_cast<std::size_t>(in.gcount()));
  }
  return bytes;
}

}  // namespace stepwell::cli
