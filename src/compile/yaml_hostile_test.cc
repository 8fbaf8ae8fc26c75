#include <chrono>

#include <gtest/gtest.h>

#include "stepwell/base/limits.h"
#include "stepwell/compile/testing/yaml_text.h"

namespace stepwell {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

// What is wrong with a text, which must not take long to find out.
std::string refusal(std::string_view text) {
  const auto start = std::chrono::steady_clock::now();
  const std::string said = testing::errors_of(text);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  return said;
}

TEST(HostileYaml, IsRefusedWhenTooDeep) {
  for (const char* part : {"[", "{a: ", "- ", "? ", "[a: ", "{? ", "[? "}) {
    EXPECT_TRUE(refusal(repeated(part, 100'000)).contains("nested deeper than 128 levels")) << part;
  }
  std::string stairs;
  for (std::size_t i = 0; i < 1000; ++i) stairs += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(refusal(stairs),
            "f:129:129: error: nested deeper than 128 levels; make the document flatter [yaml-limit]\n");
}

TEST(HostileYaml, MayBeAsDeepAsTheLimitAndNoDeeper) {
  const auto nested = [](std::size_t levels) { return repeated("[", levels) + repeated("]", levels); };
  EXPECT_EQ(testing::tree_of(nested(limits::kYamlDepth)).to_value().depth(), limits::kYamlDepth);
  EXPECT_TRUE(refusal(nested(limits::kYamlDepth + 1)).contains("yaml-limit"));
  // By way of an alias, too.
  const std::string half = "a: &a " + nested(100) + "\nb: " + repeated("[", 27);
  EXPECT_EQ(refusal(half + "*a" + repeated("]", 27)), "");
  EXPECT_TRUE(refusal(half + "[*a]" + repeated("]", 27)).contains("nested deeper"));
}

TEST(HostileYaml, IsRefusedWhenAliasesMultiply) {
  std::string laughs = "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1) + ", ";
    laughs += "b" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeated(alias, 10) + "]\n";
  }
  EXPECT_TRUE(refusal(laughs).contains("more than 1000000 values, aliases expanded"));
}

TEST(HostileYaml, IsRefusedWhenALongTextIsMultiplied) {
  const std::string text = "a: &a " + std::string(1'000'000, 'x') + "\nb: [" + repeated("*a, ", 1000) + "]\n";
  EXPECT_TRUE(refusal(text).contains("more than 16 MiB of text, aliases expanded"));
}

TEST(HostileYaml, IsRefusedWhenAnchorsInsideAnchorsMultiply) {
  const std::string inside = repeated("x, ", 20'000);
  EXPECT_TRUE(refusal(repeated("&a [", 100) + inside + repeated("]", 100)).contains("more than 1000000 values"));
}

TEST(HostileYaml, IsRefusedWhenTooLong) {
  EXPECT_EQ(refusal(std::string(limits::kYamlBytes + 1, '#')),
            "f:1:1: error: longer than 4 MiB; split it into several files [yaml-limit]\n");
}

TEST(HostileYaml, TakesTimeInProportionToItsLength) {
  for (const char* part :
       {"k: ,", "'' ", "[] ", "\n", "# \n", "!a ", "&a ", "a: ", "a ", "? \n", "- \n", "%A\n", "---\n"}) {
    refusal(repeated(part, 100'000));
    refusal("{" + repeated(part, 100'000));
  }
}

}  // namespace
}  // namespace stepwell
