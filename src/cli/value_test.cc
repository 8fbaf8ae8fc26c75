#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;

class ValueCommand : public CommandTest {
 protected:
  static Ran value(const std::vector<std::string>& arguments, const std::string& input = "") {
    return run_line({"value"}, arguments, input);
  }
};

TEST_F(ValueCommand, EncodesAndDecodes) {
  EXPECT_EQ(value({"encode", R"({"b": [1, 2.5], "a": null})"}).out, "a26161f661628201f94100\n");
  EXPECT_EQ(value({"encode"}, "{\"a\": -1}\n").out, "a1616120\n");
  EXPECT_EQ(value({"decode", "a26161f661628201f94100"}).out, "{\"a\":null,\"b\":[1,2.5]}\n");
  EXPECT_EQ(value({"decode", "--pretty"}, "A1616120\n").out, "{\n  \"a\": -1\n}\n");
}

TEST_F(ValueCommand, RawBytesGoThroughAPipe) {
  const Ran encoded = value({"encode", "--raw", "[0, 10]"});
  EXPECT_EQ(encoded.out, std::string("\x82\x00\x0A", 3));
  EXPECT_EQ(value({"decode", "--raw"}, encoded.out).out, "[0,10]\n");
}

TEST_F(ValueCommand, HashIsThatOfTheCanonicalBytes) {
  const Ran hashed = value({"hash", R"({"b":2,"a":1})"});
  EXPECT_EQ(hashed.code, ExitCode::ok);
  EXPECT_EQ(hashed.out, value({"hash"}, "{ \"a\": 1,\n \"b\": 2 }").out);
  // printf '\xf6' | sha256sum
  EXPECT_EQ(value({"hash", "null"}).out, "sha256:b0b2988b6bbe724bacda5e9e524736de0bc7dae41c46b4213c50e1d35d4e5f13\n");
}

TEST_F(ValueCommand, BadInputSaysWhereAndIsAUsageError) {
  const Ran json = value({"encode", "{\"a\": 1,}"});
  EXPECT_EQ(json.code, ExitCode::usage);
  EXPECT_EQ(json.out, "");
  EXPECT_EQ(json.err, "stepwell value encode: line 1, column 9: expected a key in double quotes after ','\n");
  EXPECT_EQ(value({"decode", "1817"}).err, "stepwell value decode: byte 0: a shorter form of this integer exists\n");
  EXPECT_EQ(value({"decode", "xyz"}).err, "stepwell value decode: expected an even number of hexadecimal digits\n");
  EXPECT_EQ(value({"decode", "181"}).code, ExitCode::usage);
  EXPECT_EQ(value({"hash", "{"}).code, ExitCode::usage);
}

TEST_F(ValueCommand, BatchAnswersEveryLine) {
  const Ran encoded = value({"encode", "--batch"}, "1\n\n[1e400]\n\"é\"\n");
  EXPECT_EQ(encoded.code, ExitCode::ok);
  EXPECT_EQ(encoded.out,
            "{\"value\":\"01\"}\n"
            "{\"error\":{\"code\":\"number_out_of_range\","
            "\"message\":\"line 1, column 2: this number is too large for a double\"}}\n"
            "{\"value\":\"62c3a9\"}\n");
  EXPECT_EQ(
      value({"decode", "--batch"}, "\"a0\"\n\"0000\"\n").out,
      "{\"value\":{}}\n{\"error\":{\"code\":\"trailing_bytes\",\"message\":\"byte 1: bytes follow the document\"}}\n");
  EXPECT_THAT(value({"hash", "--batch"}, "{}\n").out, HasSubstr("{\"value\":\"sha256:"));
}

TEST_F(ValueCommand, ADashIsStandardInput) {
  EXPECT_EQ(value({"encode", "-"}, "1").out, "01\n");
  EXPECT_EQ(value({"hash", "-"}, "1").out, value({"hash", "1"}).out);
  EXPECT_EQ(value({"decode", "-"}, "01").out, "1\n");
}

TEST_F(ValueCommand, AnArgumentThatWouldBeIgnoredIsRefused) {
  for (const char* name : {"encode", "decode", "hash"}) {
    const Ran ran = value({name, "01", "--batch"}, "1\n");
    EXPECT_EQ(ran.code, ExitCode::usage) << name;
    EXPECT_THAT(ran.err, HasSubstr("--batch takes the values from the standard input")) << name;
  }
  EXPECT_EQ(value({"decode", "01", "--raw"}).code, ExitCode::usage);
}

TEST_F(ValueCommand, HelpOfEveryCommandShowsAnExample) {
  for (const char* name : {"encode", "decode", "hash"}) {
    EXPECT_THAT(value({name, "--help"}).out, HasSubstr("\nexample:\n  stepwell value ")) << name;
    EXPECT_THAT(value({"--help"}).out, HasSubstr(name));
  }
}

}  // namespace
}  // namespace stepwell::cli
