#include "stepwell/tools/secret_sources.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "stepwell/base/utf8.h"

namespace stepwell {
namespace {

constexpr std::size_t kSecretBytes = 64u << 10;

// Anything else could lead out of a directory, or name no variable.
bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

std::optional<std::string> if_text(std::string bytes) {
  if (!utf8::is_valid(bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

std::optional<std::string> EnvironmentSecrets::find(std::string_view name) const {
  if (!is_name(name)) return std::nullopt;
  std::string variable = "STEPWELL_SECRET_";
  std::ranges::transform(name, std::back_inserter(variable),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  const char* value = std::getenv(variable.c_str());
  return value == nullptr ? std::nullopt : if_text(value);
}

std::optional<std::string> DirectorySecrets::find(std::string_view name) const {
  if (!is_name(name)) return std::nullopt;
  std::ifstream file(directory_ / name, std::ios::binary);
  std::string bytes(kSecretBytes + 1, '\0');
  if (!file) return std::nullopt;
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad() || bytes.size() > kSecretBytes) return std::nullopt;
  if (bytes.ends_with('\n')) bytes.pop_back();
  if (bytes.ends_with('\r')) bytes.pop_back();
  return if_text(std::move(bytes));
}

std::optional<std::string> SecretChain::find(std::string_view name) const {
  for (const auto& source : sources_) {
    if (auto secret = source->find(name)) return secret;
  }
  return std::nullopt;
}

}  // namespace stepwell
