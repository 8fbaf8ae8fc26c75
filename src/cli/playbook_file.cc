#include "stepwell/cli/playbook_file.h"

#include <algorithm>
#include <filesystem>

#include "stepwell/cli/input.h"

namespace stepwell::cli {
namespace {

// A bare file is a playbook named after the file; examples/hello/playbook.yaml is better known by its folder.
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

}  // namespace

PlaybookFile read_playbook_file(const std::string& path, std::istream& in) {
  const bool is_input = path == "-";
  Diagnostics diagnostics(is_input ? "standard input" : path);
  const auto text = read_input(path, in);
  if (!text) {
    diagnostics.error({}, "file", text.error());
    return {.playbook = std::nullopt, .diagnostics = diagnostics.sorted()};
  }
  auto playbook = load_playbook(*text, is_input ? "playbook" : name_of_file(path), diagnostics);
  return {.playbook = std::move(playbook), .diagnostics = diagnostics.sorted()};
}

}  // namespace stepwell::cli
