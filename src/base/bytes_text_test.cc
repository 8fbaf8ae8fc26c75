#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stepwell/base/base64.h"
#include "stepwell/base/hex.h"

namespace stepwell {
namespace {

RC_GTEST_PROP(HexTest, EveryByteStringSurvives, (const std::string& bytes)) {
  RC_ASSERT(from_hex(to_hex(bytes)) == bytes);
}

TEST(HexTest, ReadsBothCasesAndNothingElse) {
  EXPECT_EQ(to_hex(std::string_view("\x00\xAB\xff", 3)), "00abff");
  EXPECT_EQ(from_hex("ABab"), "\xAB\xAB");
  EXPECT_EQ(from_hex(""), "");
  for (const char* text : {"a", "0g", "0x12", " 00", "00 "}) EXPECT_EQ(from_hex(text), std::nullopt) << text;
}

RC_GTEST_PROP(Base64Test, EveryByteStringSurvives, (const std::string& bytes)) {
  RC_ASSERT(from_base64(to_base64(bytes)) == bytes);
}

// The examples of RFC 4648 section 10.
TEST(Base64Test, KnownAnswers) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"", ""},
                                                                  {"f", "Zg=="},
                                                                  {"fo", "Zm8="},
                                                                  {"foo", "Zm9v"},
                                                                  {"foob", "Zm9vYg=="},
                                                                  {"fooba", "Zm9vYmE="},
                                                                  {"foobar", "Zm9vYmFy"},
                                                                  {"\xfb\xff", "+/8="}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64Test, DecodingIsStrict) {
  for (const char* text :
       {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "=", "====", "Z===", "Zm 9v", "Zm9v\n", "Zm9_", "Zg==Zg=="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace stepwell
