#include <fstream>

#include "stepwell/expr/builtin.h"
#include "stepwell/expr/testing/expressions.h"
#include "stepwell/value/json_read.h"

// The page of filters, tests, functions and methods is true: its examples give what it says, and it leaves out nothing.
namespace stepwell {
namespace {

std::string page() {
  std::ifstream file(STEPWELL_EXPRESSIONS_PAGE);
  EXPECT_TRUE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Every "`expression` → `JSON`" of the page.
std::vector<std::pair<std::string, std::string>> examples_of(const std::string& text) {
  constexpr std::string_view kGives = "` → `";
  std::vector<std::pair<std::string, std::string>> examples;
  for (std::size_t at = text.find(kGives); at != std::string::npos; at = text.find(kGives, at + 1)) {
    const std::size_t begin = text.rfind('`', at - 1) + 1;
    const std::size_t result = at + kGives.size();
    examples.emplace_back(text.substr(begin, at - begin), text.substr(result, text.find('`', result) - result));
  }
  return examples;
}

TEST(Reference, EveryExampleGivesWhatThePageSays) {
  const auto examples = examples_of(page());
  EXPECT_GT(examples.size(), 70u);
  for (const auto& [expression, result] : examples) {
    const auto expected = parse_json(result);
    ASSERT_TRUE(expected.has_value()) << result;
    EXPECT_EQ(testing::eval(expression), to_json(*expected)) << expression;
  }
}

TEST(Reference, EveryNameIsOnThePage) {
  const std::string text = page();
  for (const auto table : {all_filters(), all_tests(), all_functions(), all_methods()}) {
    for (const Builtin& builtin : table) {
      const std::string name(builtin.name);
      EXPECT_TRUE(text.contains("`" + name + "`") || text.contains("`" + name + "(")) << name;
    }
  }
}

}  // namespace
}  // namespace stepwell
