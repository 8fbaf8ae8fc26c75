#include "stepwell/expr/testing/round_trip.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stepwell/expr/parser.h"
#include "stepwell/expr/testing/arbitrary_tree.h"
#include "stepwell/expr/testing/fuzz.h"

namespace stepwell {
namespace {

using testing::fuzz_context;
using testing::round_trip_problem;

RC_GTEST_PROP(RoundTripProperty, EveryExpressionSurvives, ()) {
  const Tree tree = *testing::arbitrary_expression_tree();
  RC_ASSERT(round_trip_problem(tree, fuzz_context()) == "");
}

RC_GTEST_PROP(RoundTripProperty, EveryTemplateSurvives, ()) {
  const Tree tree = *testing::arbitrary_template_tree();
  RC_ASSERT(round_trip_problem(tree, fuzz_context()) == "");
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// A line of the corpus; its header in corpus.py says what the lines mean.
std::expected<Tree, ExprError> parse_line(const std::string& line) {
  if (!line.starts_with("> ")) return parse_expression(line);
  return parse_template(replaced(replaced(replaced(line.substr(2), "⏎", "\n"), "⇥", "\t"), "␠", " "));
}

TEST(RoundTripTest, TheWholeCorpusSurvives) {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(STEPWELL_CORPUS)) {
    if (entry.path().extension() == ".txt") files.insert(entry.path());
  }
  int trees = 0;
  for (const auto& path : files) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line.starts_with("#") || line == "with" || line.starts_with("with ")) continue;
      const auto tree = parse_line(line);
      if (!tree) continue;
      ++trees;
      EXPECT_EQ(round_trip_problem(*tree, fuzz_context()), "") << line;
    }
  }
  EXPECT_GT(trees, 2000);
}

// Canonical brackets may nest deeper than an author's may.
TEST(RoundTripTest, WhatIsAtTheLimitsSurvives) {
  std::string tests = "1";
  for (int i = 0; i < 95; ++i) tests = "[x is in " + tests + "]";
  std::string sum = "1";
  for (int i = 0; i < 900; ++i) sum += " + 1";
  std::string ifs = "1";
  for (int i = 0; i < 900; ++i) ifs += " if x is odd()";
  const std::string controls = "'" + std::string(1'000'000, '\x01') + "'";
  for (const std::string& source : {tests, sum, ifs, controls}) {
    const auto tree = parse_template("{{ " + source + " }}");
    ASSERT_TRUE(tree.has_value()) << tree.error().summary();
    EXPECT_EQ(round_trip_problem(*tree, fuzz_context()), "");
  }
  std::string raw = "{% raw %}{{";
  for (int i = 0; i < 100'000; ++i) raw += "endraw";
  EXPECT_EQ(round_trip_problem(*parse_template(raw + "{% endraw %}"), fuzz_context()), "");
}

}  // namespace
}  // namespace stepwell
