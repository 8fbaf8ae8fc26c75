#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/compile/yaml_read.h"

#include "editor_schema.h"
#include "script.h"

namespace stepwell {
namespace {

// What the schema knows: every document with an error of one of these codes is refused by it, too.
constexpr auto kKnown = std::to_array<std::string_view>(
    {"arc-priority",   "field-type",      "key-missing",   "key-unknown",   "label-form",       "loop-mode",
     "merge-key",      "merge-target",    "name-form",     "name-reserved", "pipeline-empty",   "rule-field",
     "rule-twice",     "schema",          "set-target",    "spec-twice",    "terminate-reason", "tool-field",
     "value-duration", "value-kind",      "value-range",   "value-size",    "value-word",       "wait-one",
     "wait-signal",    "workbook-nested", "workflow-empty"});

struct Exception {
  std::string_view message;  // part of the loader's
  std::string_view reason;   // why a schema cannot know
};

constexpr auto kExceptions = std::to_array<Exception>({
    {"iter cannot be written outside of an iteration", "a schema does not see what is around a step"},
    {"a template cannot set", "a schema does not read templates"},
    {"must be an integer, not number", "1.0 is an integer for schemas"},
    {"is not a usable regular expression", "editors have their own regular expressions"},
    {"leads nowhere", "a schema does not follow the references of another"},
});

struct Document {
  std::string place;
  Value value;
  bool good = false;
  std::vector<std::string> errors;  // the loader's, a line each
};

// Every playbook of the loader's scripts that can be read at all.
const std::vector<Document>& corpus() {
  static const std::vector<Document> documents = [] {
    std::vector<Document> all;
    for (const auto& file : files_of("tests/scripts/compile", ".txt")) {
      const auto script = Script::parse(read_file(file));
      for (const ScriptCommand& command : script.value().commands) {
        // Escaped ones are about bytes, not about playbooks.
        if (command.words[0] != "playbook" || std::ranges::count(command.words, "escaped") != 0) continue;
        Diagnostics found("");
        const auto tree = read_yaml(command.body, found);
        if (!tree || found.has_errors()) continue;
        Document document{.place = fmt::format("{}:{}", file.filename().string(), command.line),
                          .value = tree->to_value(),
                          .good = command.output.starts_with("ok\n"),
                          .errors = {}};
        std::istringstream lines(command.output);
        for (std::string line; std::getline(lines, line);) {
          if (line.find(": error: ") != std::string::npos) document.errors.push_back(line);
        }
        all.push_back(std::move(document));
      }
    }
    return all;
  }();
  return documents;
}

bool is_known(const std::string& error) {
  const auto ends_so = [&](std::string_view code) { return error.ends_with(fmt::format("[{}]", code)); };
  return std::ranges::any_of(kKnown, ends_so);
}

bool is_exception(const std::string& error, const Exception& exception) {
  return error.find(exception.message) != std::string::npos;
}

bool must_be_refused(const Document& document) {
  return std::ranges::any_of(document.errors, [](const std::string& error) {
    return is_known(error) &&
           std::ranges::none_of(kExceptions, [&](const Exception& each) { return is_exception(error, each); });
  });
}

TEST(EditorSchema, AcceptsEveryPlaybookThatTheLoaderAccepts) {
  std::size_t count = 0;
  for (const Document& document : corpus()) {
    if (!document.good) continue;
    ++count;
    EXPECT_EQ(editor_complaints(document.value), "") << document.place;
  }
  EXPECT_GT(count, 150u);
}

TEST(EditorSchema, RefusesEveryMistakeThatASchemaCanKnow) {
  std::size_t count = 0;
  for (const Document& document : corpus()) {
    if (!must_be_refused(document)) continue;
    ++count;
    EXPECT_FALSE(compiled_editor_schema().accepts(document.value))
        << document.place << ": " << fmt::format("{}", fmt::join(document.errors, "\n"));
  }
  EXPECT_GT(count, 200u);
}

TEST(EditorSchema, HasNoExceptionThatIsNoneAnyMore) {
  for (const Exception& exception : kExceptions) {
    const auto shows = [&](const Document& document) {
      return document.errors.size() == 1 && is_known(document.errors[0]) &&
             is_exception(document.errors[0], exception) && compiled_editor_schema().accepts(document.value);
    };
    EXPECT_TRUE(std::ranges::any_of(corpus(), shows)) << exception.message << ": " << exception.reason;
  }
}

TEST(EditorSchema, AcceptsEveryExampleAndEveryExampleNamesIt) {
  const auto files = files_of("examples", ".yaml");
  EXPECT_GE(files.size(), 10u);
  for (const auto& file : files) {
    const std::string text = read_file(file);
    EXPECT_TRUE(text.starts_with("# yaml-language-server: $schema=../../docs/playbook.schema.json\n")) << file;
    Diagnostics found(file.string());
    const auto tree = read_yaml(text, found);
    ASSERT_TRUE(tree) << found.to_string();
    EXPECT_EQ(editor_complaints(tree->to_value()), "") << file;
  }
}

}  // namespace
}  // namespace stepwell
