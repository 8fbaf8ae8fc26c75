#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>

#include "stepwell/value/json_read.h"
#include "stepwell/value/schema.h"

// The official test suite of JSON Schema, draft 7, as Debian packages it.
namespace stepwell {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

struct Outcome {
  std::string name;  // "minimum.json: minimum validation: above the minimum is valid"
  bool passed = false;
};

// One group: a schema and instances with a verdict each. Without the schema none of them passes.
void run_group(const std::string& file, const Value& group, std::vector<Outcome>& outcomes) {
  const auto schema = Schema::compile(*group.find("schema"));
  for (const Value& test : group.find("tests")->as_list()) {
    std::string name = file;
    for (const Value& part : {*group.find("description"), *test.find("description")}) {
      name.append(": ").append(part.as_text());
    }
    while (name.ends_with(' ')) name.pop_back();
    if (!schema) {
      outcomes.push_back({name, false});
      continue;
    }
    const bool valid = schema->accepts(*test.find("data"));
    EXPECT_EQ(schema->validate(*test.find("data")).empty(), valid) << "accepts() and validate() differ on " << name;
    outcomes.push_back({name, valid == test.find("valid")->as_bool()});
  }
}

std::vector<Outcome> run_folder(const fs::path& folder) {
  std::vector<Outcome> outcomes;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& path : files) {
    const std::string file = fs::relative(path, folder).string();
    const auto groups = parse_json(read_file(path));
    if (!groups) {
      outcomes.push_back({file + ": cannot be read: " + groups.error().to_string(), false});
      continue;
    }
    for (const Value& group : groups->as_list()) run_group(file, group, outcomes);
  }
  return outcomes;
}

bool is_optional(const Outcome& outcome) { return outcome.name.starts_with("optional/"); }

TEST(SchemaSuite, EveryRequiredTestPassesButThoseThatFetchDocuments) {
  std::vector<Outcome> outcomes = run_folder(STEPWELL_SCHEMA_SUITE);
  std::erase_if(outcomes, is_optional);
  EXPECT_GT(outcomes.size(), 400u);
  std::size_t remote = 0;
  for (const Outcome& outcome : outcomes) {
    const bool is_remote = outcome.name.starts_with("refRemote.json");
    EXPECT_EQ(outcome.passed, !is_remote) << outcome.name;
    remote += is_remote;
  }
  std::cout << outcomes.size() - remote << " required tests pass, " << remote << " need another document\n";
}

// The list is checked in, so that a change of either kind is seen. STEPWELL_REWRITE=1 writes it anew.
TEST(SchemaSuite, OptionalTestsAreAsListed) {
  std::vector<Outcome> outcomes = run_folder(STEPWELL_SCHEMA_SUITE);
  std::erase_if(outcomes, [](const Outcome& outcome) { return !is_optional(outcome); });
  std::string actual;
  for (const Outcome& outcome : outcomes) actual += (outcome.passed ? "pass " : "FAIL ") + outcome.name + "\n";
  std::cout << actual;
  const fs::path list = fs::path(STEPWELL_SCHEMA_TESTS) / "suite_optional.txt";
  if (std::getenv("STEPWELL_REWRITE")) std::ofstream(list, std::ios::binary) << actual;
  EXPECT_EQ(actual, read_file(list));
}

}  // namespace
}  // namespace stepwell
