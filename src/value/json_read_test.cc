#include "stepwell/value/json_read.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

// What became of a text: its value as compact JSON, or the error.
std::string parsed(std::string_view text, const JsonLimits& limits = {}) {
  const auto read = parse_json(text, limits);
  return read ? to_json(*read) : read.error().to_string();
}

JsonErrorCode code_of(std::string_view text, const JsonLimits& limits = {}) {
  const auto read = parse_json(text, limits);
  EXPECT_FALSE(read.has_value()) << text;
  return read ? JsonErrorCode::syntax : read.error().code;
}

TEST(JsonReadTest, ReadsIntoCanonicalOrder) {
  EXPECT_EQ(parsed(R"( {"b": [1, 2.5, "x\n\u00e9"], "aa": null, "a": true} )"),
            R"({"a":true,"b":[1,2.5,"x\né"],"aa":null})");
}

TEST(JsonReadTest, NumbersKeepTheirKindAndEveryBit) {
  EXPECT_EQ(parsed("[1, 1.0, 1e0, -0, -0.0, 1E5]"), "[1,1.0,1.0,0,-0.0,100000.0]");
  EXPECT_EQ(parsed("[9223372036854775807, -9223372036854775808]"), "[9223372036854775807,-9223372036854775808]");
  // Boost alone reads some of these one unit off.
  for (const char* text : {"0.1", "1.7976931348623157e+308", "5e-324", "2.2250738585072014e-308", "0.3", "1.1",
                           "123456789012345.67", "9007199254740993.0", "0.000123456789012345678"}) {
    EXPECT_EQ(parse_json(text)->as_real(), std::strtod(text, nullptr)) << text;
  }
  EXPECT_TRUE(std::signbit(parse_json("-1e-400")->as_real()));
  EXPECT_EQ(parsed("1e-400"), "0.0");
}

TEST(JsonReadTest, NumbersOutOfRangeAreRefusedAtTheirStart) {
  EXPECT_EQ(parsed("[1e400]"), "line 1, column 2: this number is too large for a double");
  EXPECT_EQ(parsed("[ -1.5e309]"), "line 1, column 3: this number is too large for a double");
  EXPECT_EQ(parsed("[1e99999999999]"), "line 1, column 2: the exponent of this number is too large");
  EXPECT_EQ(parsed("[9223372036854775808]"), "line 1, column 2: this integer does not fit 64 bits");
  EXPECT_EQ(parsed("[18446744073709551616]"), "line 1, column 2: this integer does not fit 64 bits");
  EXPECT_EQ(parsed("[-9223372036854775809]"), "line 1, column 2: this integer does not fit 64 bits");
  EXPECT_EQ(parsed("1" + std::string(400, '0')), "line 1, column 1: this integer does not fit 64 bits");
  EXPECT_EQ(code_of("1e400"), JsonErrorCode::number_out_of_range);
  EXPECT_EQ(code_of("1e99999999999"), JsonErrorCode::number_out_of_range);
  EXPECT_EQ(code_of("9223372036854775808"), JsonErrorCode::integer_out_of_range);
}

TEST(JsonReadTest, DuplicateKeysAreRefusedHoweverTheyAreWritten) {
  EXPECT_EQ(parsed(R"({"a":1,"b":{"c":1,"\u0063":2}})"), "line 1, column 19: duplicate key 'c'");
  EXPECT_EQ(parsed("{\"a\":[{\"a\":1}],\n \"b\":\"a\", \"a\":2}"), "line 2, column 11: duplicate key 'a'");
  EXPECT_EQ(parsed(R"({"\n":0,"\n":0})"), R"(line 1, column 9: duplicate key '\n')");
  const std::string a59(59, 'a');
  EXPECT_EQ(parsed("{\"" + a59 + "é\":0,\"" + a59 + "é\":0}"), "line 1, column 67: duplicate key '" + a59 + "'");
  EXPECT_EQ(code_of(R"({"":0,"":0})"), JsonErrorCode::duplicate_key);
}

TEST(JsonReadTest, MessagesSayWhatIsExpected) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "line 1, column 1: the text ends too early; expected a JSON value"},
      {" \n ", "line 2, column 2: the text ends too early; expected a JSON value"},
      {"[1,2", "line 1, column 5: the text ends too early; expected ',' or ']'"},
      {"[1 2]", "line 1, column 4: expected ',' or ']'"},
      {"[,1]", "line 1, column 2: expected a value or ']'"},
      {"[1,]", "line 1, column 4: expected a value after ','"},
      {"{,}", "line 1, column 2: expected a key in double quotes or '}'"},
      {"{1:2}", "line 1, column 2: expected a key in double quotes or '}'"},
      {"{'a':2}", "line 1, column 2: expected a key in double quotes or '}'"},
      {"{\"a\" 1}", "line 1, column 6: expected ':' after the key"},
      {"{\"a\":}", "line 1, column 6: expected a value after ':'"},
      {"{\"a\":1,}", "line 1, column 8: expected a key in double quotes after ','"},
      {"{\"a\":1 \"b\":2}", "line 1, column 8: expected ',' or '}'"},
      {"[\"é\" x]", "line 1, column 6: expected ',' or ']'"},
      {"[nul]", "line 1, column 2: 'nul' is not a JSON value"},
      {"[tru", "line 1, column 2: 'tru' is not a JSON value"},
      {"[True]", "line 1, column 2: 'True' is not a JSON value; write true"},
      {"[NaN]", "line 1, column 2: 'NaN' is not a JSON value; numbers are finite"},
      {"[01]", "line 1, column 2: '01' is not a JSON value"},
      {"[1.]", "line 1, column 2: '1.' is not a JSON value"},
      {"1 2", "line 1, column 3: unexpected text after the JSON value"},
      {"\xEF\xBB\xBF{}", "line 1, column 1: the text starts with a byte order mark; remove it"},
      {"\"abc", "line 1, column 1: this string has no closing quote"},
      {"\"a\\qb\"", R"(line 1, column 3: unknown escape; JSON knows \" \\ \/ \b \f \n \r \t and \uXXXX)"},
      {"\"a\\u12g4\"", R"(line 1, column 3: expected four hexadecimal digits after '\u')"},
      {"\"a\nb\"", "line 1, column 3: a control character in a string must be escaped"},
      {"[\"\xff\"]", "line 1, column 3: invalid UTF-8"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(parsed(text), message) << text;
}

TEST(JsonReadTest, EachRefusalHasItsCode) {
  EXPECT_EQ(code_of("[1}"), JsonErrorCode::syntax);
  EXPECT_EQ(code_of("{\"a\":"), JsonErrorCode::incomplete);
  EXPECT_EQ(code_of("{} {}"), JsonErrorCode::trailing_text);
  EXPECT_EQ(code_of("\"\xc3(\""), JsonErrorCode::invalid_utf8);
  for (const char* text : {R"("\ud800")", R"("\ud800x")", R"("\ud800\n")", R"("\ud800\u0041")", R"("\udc00")",
                           R"("\udc00\ud800 and more text after it")", R"("\ud800\u0041 and more text after it")"}) {
    EXPECT_EQ(code_of(text), JsonErrorCode::lone_surrogate) << text;
    EXPECT_EQ(parse_json(text).error().offset, 1u) << text;
  }
}

TEST(JsonReadTest, DepthIsBounded) {
  auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parsed(nested(limits::kValueDepth)), nested(limits::kValueDepth));
  EXPECT_EQ(parsed(nested(limits::kValueDepth + 1)), "line 1, column 257: nested deeper than 256 levels");
  EXPECT_EQ(parsed("[[{\"a\":[]}]]", {.depth = 3}), "line 1, column 8: nested deeper than 3 levels");
  EXPECT_EQ(code_of(std::string(1000000, '[')), JsonErrorCode::too_deep);
}

TEST(JsonReadTest, LengthIsBounded) {
  EXPECT_EQ(parsed("[1,2]", {.bytes = 5}), "[1,2]");
  EXPECT_EQ(parsed("[1,2] ", {.bytes = 5}), "line 1, column 6: longer than 5 bytes");
  EXPECT_EQ(code_of("123456", {.bytes = 5}), JsonErrorCode::too_long);
}

TEST(JsonReadTest, LongStringsWithEscapesComeInPartsAndStayWhole) {
  std::string text, expected;
  for (int i = 0; i < 5000; ++i) {
    text += "plain text é \\ud83d\\ude00\\t";
    expected += "plain text é 😀\t";
  }
  const auto read = parse_json("[\"" + text + "\", {\"" + text + "\": 1}]");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->as_list()[0].as_text(), expected);
  EXPECT_NE(read->as_list()[1].find(expected), nullptr);
}

}  // namespace
}  // namespace stepwell
