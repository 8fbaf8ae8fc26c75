// compile_scripts [--rewrite] SCRIPT...: runs scripts about loading documents; with --rewrite, what they print becomes
// what is expected, and the diff is the review.
// compile_scripts --codes PAGE SCRIPT...: refuses a diagnostic code that none of the scripts shows, or that the page of
// all codes does not explain by an example that one of them shows.
// compile_scripts --graphs SCRIPT...: writes the graph of every valid playbook of the scripts, for Graphviz.
// compile_scripts --import DOCUMENT...: refuses a document that is not the same again after export and import.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "stepwell/compile/graph.h"
#include "stepwell/compile/load.h"
#include "stepwell/model/diagnostic_codes.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/path.h"

#include "script.h"

namespace stepwell {
namespace {

// The bytes that \xNN stands for, in documents that are not text.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\\x" && i + 4 <= text.size()) {
      out.push_back(static_cast<char>(std::stoi(std::string(text.substr(i + 2, 2)), nullptr, 16)));
      i += 3;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

// What is wrong with the export of a document, if reading it does not give the same again.
std::string import_problem(const Document& document) {
  const std::string exported = to_json(document.definition);
  Diagnostics diagnostics("");
  const auto again = load_document(exported, "another", diagnostics);
  if (!again) return fmt::format("but its export is refused: {}\n{}\n", diagnostics.to_string(), exported);
  const bool same = again->kind == document.kind && again->name == document.name && again->hash == document.hash &&
                    to_json(again->definition) == exported;
  return same ? "" : fmt::format("but its export is read as another one\n{}\n", exported);
}

// Understands
//   playbook [escaped] [same-hash | other-hash]   body: YAML. `ok` and warnings, or errors. The hash is compared with
//                                                 that of the document before. If ok, export and import are tried.
//   document [escaped] [same-hash | other-hash]   the same, for a document of any kind
//   show [PATH]                                   that part of the definition of the document before, as JSON
class CompileCommands {
 public:
  std::string run(const ScriptCommand& command) {
    const std::vector<std::string>& words = command.words;
    if (words[0] == "playbook" || words[0] == "document") return document(command);
    if (words[0] == "show" && words.size() == 1) return loaded_ ? to_json(loaded_->definition) + "\n" : kNothing;
    if (words[0] == "show" && words.size() == 2) return show(words[1]);
    return fmt::format("there is no command '{}'\n", fmt::join(words, " "));
  }

  // What the last document was compiled to, if it was valid.
  const std::optional<Document>& loaded() const { return loaded_; }

 private:
  std::string document(const ScriptCommand& command) {
    auto said = [&](std::string_view word) { return std::ranges::count(command.words, word) != 0; };
    // Without a file's name, a diagnostic begins with its line.
    Diagnostics diagnostics("");
    const std::optional<Document> before = std::move(loaded_);
    const auto load = said("document") ? load_document : load_playbook;
    loaded_ = load(said("escaped") ? unescaped(command.body) : command.body, "playbook", diagnostics);
    std::string out = loaded_ ? "ok\n" : "";
    for (const Diagnostic& each : diagnostics.sorted()) out.append(each.to_string().substr(1)).append("\n");
    if (loaded_) out.append(import_problem(*loaded_));
    if (loaded_ && (said("same-hash") || said("other-hash"))) {
      const bool same = before && before->hash == loaded_->hash;
      if (same != said("same-hash")) out.append(same ? "but the same hash\n" : "but another hash\n");
    }
    return out;
  }

  std::string show(const std::string& text) const {
    const auto path = Path::parse(text);
    if (!path) return fmt::format("'{}' is not a path: {}\n", text, path.error().message);
    if (!loaded_) return kNothing;
    const Value* part = get(loaded_->definition, *path);
    return (part == nullptr ? "nothing" : to_json(*part)) + "\n";
  }

  static constexpr const char* kNothing = "there is no document\n";

  std::optional<Document> loaded_;
};

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool run_file(const std::string& file, bool rewrite) {
  const std::string text = read(file);
  std::expected<Script, std::string> script = Script::parse(text);
  if (!script || script->commands.empty()) {
    fmt::print(stderr, "{}: {}\n", file, script ? "there is no command in it" : script.error());
    return false;
  }
  CompileCommands commands;
  const std::string differences =
      run_script(*script, file, [&](const ScriptCommand& command) { return commands.run(command); });
  if (rewrite) std::ofstream(file, std::ios::binary) << script->to_string();
  fmt::print("{}", differences);
  return rewrite || differences.empty();
}

// What the page says of a code: from its heading to the next.
std::string_view section_of(std::string_view page, std::string_view code) {
  const std::size_t begin = page.find(fmt::format("\n### `{}`\n", code));
  if (begin == std::string_view::npos) return {};
  return page.substr(begin, page.find("\n#", begin + 1) - begin);
}

// Files that cannot be read are the business of commands, versions that of the catalog.
bool is_said_by_loader(std::string_view code) { return code != "file" && code != "version-taken"; }

// Whether a section holds an example, indented, that a script shows at any place.
bool has_true_example(std::string_view section, std::string_view code, std::string_view scripts) {
  const std::size_t begin = section.find("\n    ");
  if (begin == std::string_view::npos) return false;
  std::string_view line = section.substr(begin + 5);
  line = line.substr(0, line.find('\n') + 1);
  const bool shown = scripts.find(fmt::format(": {}", line)) != std::string_view::npos;
  return line.ends_with(fmt::format(" [{}]\n", code)) && (shown || !is_said_by_loader(code));
}

bool check_codes(const std::string& page_file, std::span<const std::string> scripts) {
  const std::string page = read(page_file);
  std::string all;
  for (const std::string& file : scripts) all += read(file);
  bool complete = true;
  auto complain = [&](std::string_view what, const DiagnosticMeaning& about) {
    fmt::print("{} [{}]: {}\n", what, about.code, about.meaning);
    complete = false;
  };
  for (const DiagnosticMeaning& known : kDiagnosticCodes) {
    const bool is_shown = all.find(fmt::format("[{}]\n", known.code)) != std::string::npos;
    if (!is_shown && is_said_by_loader(known.code)) complain("no script shows", known);
    const std::string_view section = section_of(page, known.code);
    if (section.empty())
      complain("the page does not explain", known);
    else if (!has_true_example(section, known.code, all))
      complain("the page has no example that a script shows of", known);
  }
  return complete;
}

bool write_graphs(std::span<const std::string> files) {
  for (const std::string& file : files) {
    const std::expected<Script, std::string> script = Script::parse(read(file));
    if (!script) return false;
    CompileCommands commands;
    for (const ScriptCommand& command : script->commands) {
      if (command.words[0] != "playbook") continue;
      commands.run(command);
      if (!commands.loaded()) continue;
      const std::expected<Definition, std::string> definition = read_definition(commands.loaded()->definition);
      if (!definition) return false;
      fmt::print("{}", to_dot(picture_of(*definition)));
    }
  }
  return true;
}

bool check_import(std::span<const std::string> files) {
  bool good = !files.empty();
  for (const std::string& file : files) {
    Diagnostics diagnostics(file);
    const auto document = load_document(read(file), "document", diagnostics);
    const std::string problem = document ? import_problem(*document) : diagnostics.to_string();
    if (!problem.empty()) fmt::print("{}: {}", file, problem);
    good = good && problem.empty();
  }
  return good;
}

int run(std::vector<std::string> arguments) {
  if (std::erase(arguments, "--import") != 0) return check_import(arguments) ? 0 : 1;
  const bool codes = std::erase(arguments, "--codes") != 0;
  const bool graphs = std::erase(arguments, "--graphs") != 0;
  const bool rewrite = std::erase(arguments, "--rewrite") != 0;
  if (codes) return !arguments.empty() && check_codes(arguments[0], std::span(arguments).subspan(1)) ? 0 : 1;
  if (graphs) return write_graphs(arguments) ? 0 : 1;
  bool good = !arguments.empty();
  for (const std::string& file : arguments) good = run_file(file, rewrite) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace stepwell

int main(int count, char** arguments) { return stepwell::run({arguments + 1, arguments + count}); }
