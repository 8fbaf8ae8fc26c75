#include "stepwell/cli/document_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "stepwell/cli/input.h"

namespace stepwell::cli {
namespace {

// A document without a name is named after its file; examples/hello/playbook.yaml is better known by its folder.
std::string name_of_file(const std::string& path) {
  const std::filesystem::path file(path);
  std::string name = file.stem().string();
  if (name == "playbook" && file.has_parent_path())
    name = std::filesystem::absolute(file).parent_path().filename().string();
  std::ranges::transform(name, name.begin(), [](char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
  });
  if (name.empty() || name[0] < 'a' || name[0] > 'z') name = "p" + name;
  return name;
}

DocumentFile read_file(const std::string& path, std::istream& in, decltype(&load_document) load) {
  const bool is_input = path == "-";
  Diagnostics diagnostics(is_input ? "standard input" : path);
  std::optional<Document> document;
  if (const auto text = read_input(path, in)) {
    document = load(*text, default_name(path), diagnostics);
  } else {
    diagnostics.error({}, "file", text.error());
  }
  return {.document = std::move(document), .diagnostics = diagnostics.sorted(), .left_out = diagnostics.left_out()};
}

bool is_hidden(const std::filesystem::path& path) { return path.filename().string().starts_with('.'); }

bool is_document(const std::filesystem::path& path) {
  const auto ending = path.extension();
  return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

}  // namespace

std::string default_name(const std::string& path) { return path == "-" ? "playbook" : name_of_file(path); }

std::string DocumentFile::to_string() const {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += diagnostic.to_string() + '\n';
  if (left_out > 0) out += fmt::format("{}: {} more\n", diagnostics.front().file, left_out);
  return out;
}

DocumentFile read_document_file(const std::string& path, std::istream& in) {
  return read_file(path, in, load_document);
}

DocumentFile read_playbook_file(const std::string& path, std::istream& in) {
  return read_file(path, in, load_playbook);
}

std::expected<std::vector<std::string>, std::string> document_paths(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return std::vector{path};
  std::vector<std::string> paths;
  fs::recursive_directory_iterator at(path, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const bool is_directory = at->is_directory(error);
    if (is_directory && is_hidden(at->path())) at.disable_recursion_pending();
    if (!is_directory && is_document(at->path()) && !is_hidden(at->path())) paths.push_back(at->path().string());
  }
  if (error) return std::unexpected(fmt::format("cannot read '{}': {}", path, error.message()));
  if (paths.empty()) return std::unexpected(fmt::format("there is no .yaml, .yml or .json in '{}'", path));
  std::ranges::sort(paths);
  return paths;
}

}  // namespace stepwell::cli
