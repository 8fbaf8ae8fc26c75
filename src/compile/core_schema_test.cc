#include "stepwell/compile/core_schema.h"

#include <gtest/gtest.h>

#include "stepwell/compile/testing/yaml_text.h"

namespace stepwell {
namespace {

// What each plain scalar means, read through a whole document.
void expect_all(const std::string& json, std::initializer_list<const char*> scalars) {
  for (const char* scalar : scalars) {
    EXPECT_EQ(testing::json_of("a: " + std::string(scalar)), "{\"a\":" + json + "}") << scalar;
  }
}

void expect_text(std::initializer_list<const char*> scalars) {
  for (const char* scalar : scalars) {
    EXPECT_EQ(testing::json_of("a: " + std::string(scalar)), "{\"a\":" + to_json(scalar) + "}") << scalar;
  }
}

TEST(CoreSchema, KnowsFiveWaysToWriteNull) { expect_all("null", {"null", "Null", "NULL", "~", ""}); }

TEST(CoreSchema, KnowsThreeWaysToWriteEachBoolean) {
  expect_all("true", {"true", "True", "TRUE"});
  expect_all("false", {"false", "False", "FALSE"});
}

TEST(CoreSchema, ReadsIntegersInThreeBases) {
  expect_all("7", {"7", "+7", "007", "0o7", "0x7"});
  expect_all("-12", {"-12", "-012"});
  expect_all("0", {"0", "-0", "00"});
  expect_all("255", {"0xff", "0xFF", "0o377"});
  expect_all("9223372036854775807", {"9223372036854775807", "0x7FFFFFFFFFFFFFFF"});
  expect_all("-9223372036854775808", {"-9223372036854775808"});
}

TEST(CoreSchema, ReadsNumbersWithPointOrExponent) {
  expect_all("1.0", {"1.0", "1.", "+1.0", "1e0", "10E-1", "01.0"});
  expect_all("0.5", {"0.5", ".5", "+.5", "5e-1"});
  expect_all("-1500.0", {"-1.5e3", "-1.5E+3"});
  expect_all("-0.0", {"-0.0", "-0e5"});
  expect_all("0.0", {"1e-999"});
}

TEST(CoreSchema, TakesWhatOnlyYaml11KnewAsText) {
  expect_text({"yes", "no", "on", "off", "y", "n", "Yes", "NO", "1_000", "0b1", "1:30", "190:20:30.15", "2024-05-01",
               "2024-05-01T12:00:00Z", "=", "017_1"});
}

TEST(CoreSchema, TakesWhatOnlyLooksLikeANumberAsText) {
  expect_text({"0x",  "0o8",   "0xg", "-0x1", "+0o7", "1e",   "1e+",   "e5",  ".",   "+",    "-.",
               ".e1", "1.2.3", "1 2", "nUll", "tRue", ".inF", "+.nan", "--1", "0X1", "1e5.0"});
}

TEST(CoreSchema, SaysWhatHasNoValue) {
  EXPECT_EQ(resolve_core("9223372036854775808").error(), CoreProblem::integer_out_of_range);
  EXPECT_EQ(resolve_core("-9223372036854775809").error(), CoreProblem::integer_out_of_range);
  EXPECT_EQ(resolve_core("0x8000000000000000").error(), CoreProblem::integer_out_of_range);
  EXPECT_EQ(resolve_core("1e309").error(), CoreProblem::number_out_of_range);
  EXPECT_EQ(resolve_core("-.INF").error(), CoreProblem::infinite);
  EXPECT_EQ(resolve_core(".NaN").error(), CoreProblem::not_a_number);
}

}  // namespace
}  // namespace stepwell
