#include "script.h"

#include <sstream>

#include <fmt/format.h>

namespace stepwell {
namespace {

constexpr std::string_view kRule = "----";

// Hands out the lines of a text, each with its newline.
class Lines {
 public:
  explicit Lines(std::string_view rest) : rest_(rest) {}

  bool done() const { return rest_.empty(); }
  std::size_t number() const { return number_; }

  std::string_view peek() const {
    const std::size_t end = rest_.find('\n');
    return rest_.substr(0, end == std::string_view::npos ? rest_.size() : end + 1);
  }
  std::string_view next() {
    const std::string_view line = peek();
    rest_.remove_prefix(line.size());
    ++number_;
    return line;
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 1;
};

std::string_view trimmed(std::string_view line) { return line.substr(0, line.find_last_not_of(" \t\r\n") + 1); }

std::vector<std::string> split(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string with_margin(std::string_view text, std::string_view margin) {
  std::string out;
  for (Lines lines(text); !lines.done();) out.append(margin).append(lines.next());
  return out;
}

}  // namespace

std::expected<Script, std::string> Script::parse(std::string_view text) {
  Script script;
  script.prose.emplace_back();
  for (Lines lines(text); !lines.done();) {
    if (trimmed(lines.peek()).empty() || lines.peek().starts_with('#')) {
      script.prose.back().append(lines.next());
      continue;
    }
    ScriptCommand command;
    command.line = lines.number();
    script.heads.emplace_back(lines.next());
    command.words = split(script.heads.back());
    while (!lines.done() && trimmed(lines.peek()) != kRule) command.body.append(lines.next());
    if (lines.done()) return std::unexpected(fmt::format("the command at line {} has no {}", command.line, kRule));
    lines.next();
    while (!lines.done() && !trimmed(lines.peek()).empty()) command.output.append(lines.next());
    script.commands.push_back(std::move(command));
    script.prose.emplace_back();
  }
  return script;
}

std::string Script::to_string() const {
  std::string out = prose[0];
  for (std::size_t i = 0; i < commands.size(); ++i) {
    out.append(heads[i]).append(commands[i].body).append(kRule).append("\n").append(commands[i].output);
    out.append(prose[i + 1]);
  }
  return out;
}

std::string run_script(Script& script, std::string_view file, const RunCommand& run) {
  std::string differences;
  for (ScriptCommand& command : script.commands) {
    std::string actual = run(command);
    if (actual != command.output) {
      differences += fmt::format("{}:{}: {}\n{}{}", file, command.line, fmt::join(command.words, " "),
                                 with_margin(command.output, "  - "), with_margin(actual, "  + "));
    }
    command.output = std::move(actual);
  }
  return differences;
}

}  // namespace stepwell
