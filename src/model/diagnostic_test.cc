#include "stepwell/model/diagnostic.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stepwell/base/limits.h"

namespace stepwell {
namespace {

const Diagnostic kTypo = {"order.yaml", {14, 9}, Severity::error, "yaml-key", "key 1 is no text", "write '1'"};

TEST(Diagnostic, IsOneLineThatSaysWhereWhatAndWhatToDo) {
  EXPECT_EQ(kTypo.to_string(), "order.yaml:14:9: error: key 1 is no text; write '1' [yaml-key]");
}

TEST(Diagnostic, WithoutAHintEndsWithItsMessage) {
  Diagnostic diagnostic = kTypo;
  diagnostic.hint.clear();
  diagnostic.severity = Severity::warning;
  EXPECT_EQ(diagnostic.to_string(), "order.yaml:14:9: warning: key 1 is no text [yaml-key]");
}

TEST(Diagnostic, AsAValueHasAlwaysTheSameMembers) {
  EXPECT_EQ(kTypo.to_value(), Value::map({{"file", "order.yaml"},
                                          {"line", 14},
                                          {"column", 9},
                                          {"severity", "error"},
                                          {"code", "yaml-key"},
                                          {"message", "key 1 is no text"},
                                          {"hint", "write '1'"}}));
  Diagnostic diagnostic = kTypo;
  diagnostic.hint.clear();
  const Value value = diagnostic.to_value();
  ASSERT_NE(value.find("hint"), nullptr);
  EXPECT_TRUE(value.find("hint")->is_null());
}

TEST(Diagnostic, SuggestsTheNearestWord) {
  const auto words = std::to_array<std::string_view>({"ship", "charge"});
  EXPECT_EQ(did_you_mean("charg", words), "did you mean 'charge'?");
  EXPECT_EQ(did_you_mean("entirely", words), "");
}

TEST(Diagnostics, AreSortedBySourceAndKeepTheOrderOfOnePlace) {
  Diagnostics found("a.yaml");
  found.error({2, 1}, "yaml-key", "third");
  found.warning({1, 5}, "yaml-key", "second");
  found.error({1, 4}, "yaml-key", "first");
  found.error({2, 1}, "yaml-key", "fourth");
  EXPECT_EQ(found.to_string(),
            "a.yaml:1:4: error: first [yaml-key]\n"
            "a.yaml:1:5: warning: second [yaml-key]\n"
            "a.yaml:2:1: error: third [yaml-key]\n"
            "a.yaml:2:1: error: fourth [yaml-key]\n");
}

TEST(Diagnostics, SayTheSameThingOnce) {
  Diagnostics found("a.yaml");
  found.error({1, 1}, "yaml-key", "same");
  found.error({1, 1}, "yaml-key", "other");
  found.error({1, 1}, "yaml-key", "same");
  found.error({2, 1}, "yaml-key", "same");
  EXPECT_EQ(found.sorted().size(), 3u);
}

TEST(Diagnostics, KnowErrorsFromWarnings) {
  Diagnostics found("a.yaml");
  EXPECT_TRUE(found.empty());
  found.warning({}, "yaml-key", "odd");
  EXPECT_FALSE(found.empty());
  EXPECT_FALSE(found.has_errors());
  found.error({}, "yaml-key", "wrong");
  EXPECT_TRUE(found.has_errors());
}

TEST(Diagnostics, AreListedUpToALimitAndCountedBeyondIt) {
  Diagnostics found("a.yaml");
  for (std::uint32_t line = 1; line <= limits::kDiagnostics; ++line) found.warning({line, 1}, "yaml-key", "odd");
  found.error({1, 1}, "yaml-key", "one");
  EXPECT_TRUE(found.has_errors());
  EXPECT_EQ(found.sorted().size(), limits::kDiagnostics);
  EXPECT_EQ(found.left_out(), 1u);
  EXPECT_TRUE(found.to_string().ends_with("a.yaml:1000:1: warning: odd [yaml-key]\na.yaml: 1 more\n"));
}

TEST(Diagnostics, TakeOverWhatWasFoundElsewhere) {
  Diagnostics found("a.yaml");
  Diagnostics others("a.yaml");
  others.error({1, 1}, "yaml-key", "one");
  found.warning({2, 1}, "yaml-key", "two");
  found.add(others);
  EXPECT_TRUE(found.has_errors());
  EXPECT_EQ(found.to_string(), "a.yaml:1:1: error: one [yaml-key]\na.yaml:2:1: warning: two [yaml-key]\n");
}

TEST(DiagnosticCodes, AreKebabCaseAndThereOnce) {
  for (const DiagnosticMeaning& known : kDiagnosticCodes) {
    EXPECT_EQ(known.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << known.code;
    EXPECT_FALSE(known.meaning.empty()) << known.code;
    EXPECT_EQ(std::ranges::count(kDiagnosticCodes, known.code, &DiagnosticMeaning::code), 1) << known.code;
  }
}

}  // namespace
}  // namespace stepwell
